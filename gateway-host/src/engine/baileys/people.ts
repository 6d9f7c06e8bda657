import { type Contact, jidNormalizedUser, toNumber, type WAMessage, type WASocket } from 'baileys'
import type { ConnectionEvents, HistoryMessage, KnownContact } from '../engine.ts'

/** Passes names of people and the history of the phone on. */
export function reportPeople(socket: WASocket, events: ConnectionEvents): void {
  const report = (contacts: readonly Partial<Contact>[]) => {
    const known = contacts.flatMap(toContact)
    if (known.length > 0) events.onContacts(known)
  }
  socket.ev.on('contacts.upsert', report)
  socket.ev.on('contacts.update', report)
  socket.ev.on('messaging-history.set', ({ contacts, messages }) => {
    report(contacts)
    const found = messages.flatMap(toHistory)
    if (found.length > 0) events.onHistory(found)
  })
}

function toContact({ id, phoneNumber, name, notify }: Partial<Contact>): KnownContact[] {
  const jid = phoneNumber ?? id
  if (!jid || (!name && !notify)) return []
  return [{ jid: jidNormalizedUser(jid), saved: name ?? null, chosen: notify ?? null }]
}

function toHistory({ key, message, messageTimestamp }: WAMessage): HistoryMessage[] {
  const { id, remoteJid, remoteJidAlt, fromMe } = key
  const chat = remoteJidAlt ?? remoteJid
  if (!id || !chat || !message) return []
  const at = new Date(toNumber(messageTimestamp) * 1000)
  return [{ chat: jidNormalizedUser(chat), networkId: id, at, fromMe: fromMe === true, message }]
}
