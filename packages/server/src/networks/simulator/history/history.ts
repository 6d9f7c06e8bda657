import { Readable } from 'node:stream'
import { GatewayError } from '@msgctl/network/errors'
import type { Gateway, GatewayContact, NetAddress } from '@msgctl/network/gateway'
import type { ConnectionReader } from '#networks/simulator/connection/connection.ts'
import type { SimContext } from '#networks/simulator/context.ts'
import type { DueEvent } from '#networks/simulator/events/event.ts'
import { addEvents } from '#networks/simulator/events/store.ts'
import { photo, photoBytes, voiceBytes, voiceNote } from '#networks/simulator/messages/answers.ts'
import { contentText, withText } from '#networks/simulator/messages/plan.ts'
import { parseLid, toLid } from '#networks/simulator/people/lid.ts'
import { addressText, findPerson, isHidden } from '#networks/simulator/people/people.ts'
import { savedPeople, toGatewayContact } from '#networks/simulator/sessions/address-book.ts'
import { markContactsSynced, readSession } from '#networks/simulator/sessions/store.ts'
import { transaction } from '#platform/db/db.ts'
import { listChats, listMessages, markRevoked, markSeen, readMessage, rewrite } from './store.ts'

type History = Pick<Gateway, 'seen' | 'edit' | 'revoke' | 'contacts' | 'lids' | 'chats' | 'messages' | 'fetchMedia'>

const chatsForContacts = 10_000

/** Everything about messages and people that are there already. */
export function history(ctx: SimContext, readConnection: ConnectionReader): History {
  const { db } = ctx

  return {
    async seen(session, chat, networkIds) {
      await readConnection(session, [])
      await markSeen(db, session, aliases(chat), networkIds)
    },
    async edit(session, { networkId }, text, { signal }) {
      requireCaller(signal)
      await readConnection(session, [])
      const stored = await readMessage(db, session, networkId)
      const content = stored && stored.direction === 'out' ? withText(stored.content, text) : null
      if (!content || !(await rewrite(db, session, networkId, content))) throw cannot('change')
      await addEvents(db, [{ ...idOf(session), afterMs: 0, payload: { kind: 'message.edited', networkId, text } }])
    },
    async revoke(session, { networkId }, { signal }) {
      requireCaller(signal)
      await readConnection(session, [])
      const stored = await readMessage(db, session, networkId)
      if (stored?.direction !== 'out') throw cannot('take back')
      if (stored.revokedAt !== null) return
      await markRevoked(db, session, networkId)
      await addEvents(db, [{ ...idOf(session), afterMs: 0, payload: { kind: 'message.revoked', networkId } }])
    },
    async contacts(session) {
      await readConnection(session, [])
      const met = await people(session)
      await transaction(db, async (trx) => {
        if (await markContactsSynced(trx, session)) await addEvents(trx, mappings(session, met))
      })
      const saved = (await readSession(db, session))?.contacts ?? {}
      const all = [...new Set([...met, ...Object.keys(saved)])]
      return all.map((digits): GatewayContact => {
        const contact = toGatewayContact(digits, true, digits in saved || isSaved(digits))
        return { ...contact, name: saved[digits] ?? contact.name }
      })
    },
    async lids(session) {
      const { line } = await readConnection(session, [])
      return (await people(session)).flatMap((digits) => known(digits, line.contactsSynced))
    },
    async chats(session, limit) {
      await readConnection(session, [])
      const found = await listChats(db, session, limit)
      return found.map(({ chat, lastAt }) => ({ address: addressFrom(chat), name: nameOf(chat), lastAt }))
    },
    async messages(session, chat, limit) {
      await readConnection(session, [])
      const found = await listMessages(db, session, aliases(chat), limit)
      return found.map((one) => ({
        networkId: one.networkId,
        chat: addressFrom(one.chat),
        direction: one.direction,
        ...(one.content.kind === 'inbound' ? { type: one.content.type } : {}),
        text: contentText(one.content),
        at: one.at,
      }))
    },
    async fetchMedia(session, { networkId }) {
      await readConnection(session, [])
      const stored = await readMessage(db, session, networkId)
      const mimetype = stored?.content.kind === 'inbound' ? stored.content.media?.mimetype : undefined
      if (mimetype === voiceNote.mimetype) return { bytes: Readable.from([voiceBytes]), mimetype }
      return mimetype === undefined ? null : { bytes: Readable.from([photoBytes]), mimetype: photo.mimetype }
    },
  }

  /** Everybody the number knows: who is saved on the phone, and who it wrote with. */
  async function people(session: { containerId: string; organizationId: string }): Promise<string[]> {
    const chats = await listChats(db, session, chatsForContacts)
    const met = chats.flatMap(({ chat }) => digitsFrom(chat) ?? [])
    return [...new Set([...savedPeople, ...met])]
  }
}

function requireCaller(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new GatewayError('timeout', 'The caller has given up.', { outcome: 'not_sent' })
}

function idOf(session: { containerId: string; organizationId: string }) {
  return { containerId: session.containerId, organizationId: session.organizationId }
}

function cannot(what: 'change' | 'take back'): GatewayError {
  return new GatewayError('rejected', `The network does not let this number ${what} the message.`)
}

function isSaved(digits: string): boolean {
  return savedPeople.some((saved) => saved === digits)
}

/** The hidden ids that the first sync of the contacts brings to light. */
function mappings(session: { containerId: string; organizationId: string }, met: readonly string[]): DueEvent[] {
  return met
    .flatMap((digits) => known(digits, true))
    .map(({ lid, digits }) => ({ ...idOf(session), afterMs: 0, payload: { kind: 'lid.mapping', lid, digits } }))
}

function known(digits: string, contactsSynced: boolean): { lid: string; digits: string }[] {
  const person = findPerson(digits)
  return person.hidden === 'never' || isHidden(person, contactsSynced) ? [] : [{ lid: toLid(digits), digits }]
}

function digitsFrom(chat: string): string | null {
  return chat.endsWith('@lid') ? parseLid(chat) : chat
}

function addressFrom(chat: string): NetAddress {
  return chat.endsWith('@lid') ? { kind: 'lid', id: chat } : { kind: 'phone', digits: chat }
}

function nameOf(chat: string): string {
  return findPerson(digitsFrom(chat) ?? chat).name
}

/** Both addresses of one person: what was written under either is one conversation to the network. */
function aliases(chat: NetAddress): string[] {
  const text = addressText(chat)
  const other = chat.kind === 'phone' ? toLid(chat.digits) : parseLid(chat.id)
  return other === null ? [text] : [text, other]
}
