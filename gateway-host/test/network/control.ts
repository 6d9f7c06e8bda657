import type { IncomingMessage, ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import type { proto } from 'baileys'
import { openOnPhone, uploadFromPhone } from './files.ts'
import { node, seconds } from './frames/nodes.ts'
import { scanQr, typeCode } from './linking.ts'
import { type Counts, type Network, newMessageId, type SendFault } from './network.ts'
import { cut, refuse, setOnline, streamError, unlink } from './operations.ts'
import { phoneJid, type ShownMessage } from './people/accounts.ts'
import { provideSalt, saveContact } from './people/address-book.ts'
import { linkCompanion } from './people/companions.ts'
import { makeHistory } from './people/sharing.ts'
import { editMessage, sendHdPhoto, writeByList, writeWithheld } from './people/unusual.ts'
import { write, writeBroken, writeOnPhone } from './people/writing.ts'
import { sendReceipt } from './receipts.ts'
import type { RuleName } from './rules/rules.ts'

/** A message as a phone shows it. */
interface Shown {
  readonly id: string
  readonly from: string
  readonly to: string
  readonly message: unknown
  readonly at: number
  readonly typed: boolean
  readonly retried: boolean
  readonly copies: number
  readonly edited: string | null
  readonly revoked: boolean
}

interface Faulty {
  readonly iq?: Record<string, Record<string, string>>
  readonly refusals?: Record<string, string>
  readonly refuseNext?: string[]
  readonly loseEveryQuery?: number
  readonly isMute?: boolean
  readonly dropAcks?: number
  readonly latencyMs?: number
  readonly ackMs?: number
  readonly sends?: { readonly fault: SendFault; readonly rate: number } | null
  readonly silentChecks?: boolean
  readonly lostEdits?: boolean
  readonly lostFiles?: boolean
  readonly clockAheadMs?: number
}

/** What tests can do with a network over HTTP: the body and the response of each call. */
export interface ControlCalls {
  scan(call: { qr: string; phone: string }): void
  typeCode(call: { phone: string; code: string }): Promise<void>
  write(call: {
    from: string
    to: string
    message: proto.IMessage
    attrs?: Record<string, string>
  }): Promise<{ id: string }>
  /** Sends the devices of a number a stanza of a status, as the network does beside messages. */
  sendStatus(call: { from: string; to: string }): void
  /** Sends messages with these ids that no device can decrypt. */
  writeBroken(call: { from: string; to: string; ids: readonly string[] }): Promise<void>
  /** Sends a file of a person, with its bytes in base64. */
  sendFile(call: {
    from: string
    to: string
    mimetype: string
    base64: string
    filename?: string
    caption?: string
  }): Promise<{ id: string }>
  /** Opens the file of a message that a phone shows. */
  openFile(call: { by: string; from: string; id: string }): Promise<{ base64: string }>
  /** Writes to a person; with `hidden`, linked devices are given the hidden id of the person. */
  writeOnPhone(call: { owner: string; to: string; message: proto.IMessage; hidden?: boolean }): Promise<{ id: string }>
  /** Sends a message whose content linked devices have to request from their phone. */
  writeWithheld(call: { from: string; to: string; message: proto.IMessage; type?: string }): { id: string }
  writeByList(call: { from: string; to: string; message: proto.IMessage }): Promise<{ id: string }>
  /** Changes the text of a message that a person has written. */
  editMessage(call: { from: string; to: string; id: string; text: string }): Promise<{ id: string }>
  /** Sends a photo twice, small and large; both in base64. */
  sendHdPhoto(call: {
    from: string
    to: string
    small: string
    large: string
    caption?: string
  }): Promise<{ id: string; childId: string }>
  unlink(call: { phone: string }): void
  /** Links another device to a phone. Numbers that are connected are notified of it, if they are to be. */
  linkCompanion(call: { phone: string; isNotified: boolean }): { device: number }
  /** The ids of the messages that each of these devices has decrypted. */
  readByCompanions(call: { phone: string }): { read: readonly (readonly string[])[] }
  cut(call: { phone: string }): void
  streamError(call: { phone: string; code: string }): void
  refuse(call: { phone: string; refusal: Record<string, string> | null }): void
  setOnline(call: { phone: string; online: boolean }): void
  setFaults(call: Faulty): void
  setAccount(call: {
    phone: string
    name?: string
    needsPasskey?: boolean
    isMigrated?: boolean
    history?: proto.IConversation[]
    timelock?: Record<string, unknown> | null
    capping?: Record<string, unknown> | null
  }): void
  /** Gives an account a salt, in base64, for the tokens that its messages carry from now on. */
  provideSalt(call: { phone: string; salt: string }): Promise<void>
  /** Gives a phone a history to share: one chat with so many messages of so many bytes. */
  makeHistory(call: { phone: string; digits: string; messages: number; bytes: number }): void
  saveContact(call: { phone: string; digits: string; name: string }): Promise<void>
  receipt(call: { from: string; by: string; id: string; type: 'delivered' | 'read' | 'played' | 'server-error' }): void
  /** Applies a rule of the network from now on, or no more. */
  setRule(call: { rule: RuleName; isApplied: boolean }): void
  /** Acts as if everything broke these rules, and no others. */
  pretend(call: { rules: readonly RuleName[] }): void
  /** Changes the oldest versions of clients that are linked, and that may log in, by their last part. */
  setOldest(call: { linked?: number; loggedIn?: number }): void
  /** How often each rule was broken. */
  broken(call: object): { rules: Partial<Record<RuleName, number>> }
  counts(call: object): Counts & { connections: number; firstFault: string | null; pending: number }
  /** Whether nothing is under way, and how much has happened so far. */
  quiet(call: object): { isQuiet: boolean; activity: number }
  /** Everything that people and numbers wrote. */
  texts(call: object): { texts: string[] }
  transcript(call: { from?: string; to?: string; since?: number }): { messages: Shown[] }
  phoneShows(call: { by: string; from: string; id: string }): { shown: Shown | null }
  account(call: { phone: string }): {
    devices: number[]
    ticks: unknown[]
    name: string
    about: string
    /** Its picture in base64; null without one. */
    picture: string | null
    /** What its devices showed of themselves: available or unavailable. */
    presence: readonly string[]
  }
}

function toShown({ message, ...shown }: ShownMessage): Shown {
  return { ...shown, message: JSON.parse(JSON.stringify(message)) as unknown }
}

/** Returns the calls that control a network. */
function controlOf(network: Network): ControlCalls {
  const { accounts } = network
  return {
    scan: ({ qr, phone }) => scanQr(network, qr, phone),
    typeCode: ({ phone, code }) => typeCode(network, phone, code),
    write: async ({ from, to, message, attrs }) => ({
      id: await network.track(() => write(network, from, to, message, attrs)),
    }),
    sendStatus({ from, to }) {
      const attrs = { from: phoneJid(accounts.get(from)), id: newMessageId(), t: seconds() }
      for (const device of accounts.get(to).devices.values()) network.deliver(device, node('status', attrs))
    },
    writeBroken: ({ from, to, ids }) => network.track(() => writeBroken(network, from, to, ids)),
    async sendFile({ from, to, base64, ...file }) {
      const message = await uploadFromPhone(network, { ...file, bytes: Buffer.from(base64, 'base64') })
      return { id: await write(network, from, to, message) }
    },
    async openFile({ by, from, id }) {
      const shown = accounts.get(by).shown.get(`${from}/${id}`)
      if (!shown) throw new Error('the phone shows no such message')
      return { base64: (await openOnPhone(network, shown.message)).toString('base64') }
    },
    writeOnPhone: async ({ owner, to, message, hidden }) => ({
      id: await writeOnPhone(network, owner, to, message, hidden),
    }),
    writeWithheld: ({ from, to, message, type }) => ({ id: writeWithheld(network, from, to, message, type) }),
    writeByList: async ({ from, to, message }) => ({ id: await writeByList(network, from, to, message) }),
    editMessage: async ({ from, to, ...edit }) => ({ id: await editMessage(network, from, to, edit) }),
    sendHdPhoto: ({ from, to, small, large, caption }) =>
      sendHdPhoto(network, from, to, {
        small: Buffer.from(small, 'base64'),
        large: Buffer.from(large, 'base64'),
        caption,
      }),
    unlink: ({ phone }) => unlink(network, phone),
    linkCompanion: ({ phone, isNotified }) => ({ device: linkCompanion(network, accounts.get(phone), isNotified) }),
    readByCompanions: ({ phone }) => ({ read: [...accounts.get(phone).companions.values()].map(({ read }) => read) }),
    cut: ({ phone }) => cut(network, phone),
    streamError: ({ phone, code }) => streamError(network, phone, code),
    refuse: ({ phone, refusal }) => refuse(network, phone, refusal),
    setOnline: ({ phone, online }) => setOnline(network, phone, online),
    setFaults({ iq = {}, refusals = {}, sends = null, silentChecks = false, refuseNext = [], ...times }) {
      const { dropAcks = 0, latencyMs = 0, ackMs = 0, clockAheadMs = 0, lostEdits = false, lostFiles = false } = times
      const { loseEveryQuery = 0, isMute = false } = times
      const faults = { iq: new Map(Object.entries(iq)), refusals: new Map(Object.entries(refusals)) }
      Object.assign(network.faults, faults, { dropAcks, latencyMs, ackMs, sends, silentChecks, refuseNext })
      Object.assign(network.faults, { clockAheadMs, lostEdits, lostFiles, loseEveryQuery, isMute })
    },
    setAccount: ({ phone, ...change }) => void Object.assign(accounts.get(phone), change),
    setRule: ({ rule, isApplied }) => network.rules.set(rule, isApplied),
    pretend: ({ rules }) => network.rules.pretend(rules),
    setOldest: (oldest) => void Object.assign(network.oldest, oldest),
    broken: () => ({ rules: Object.fromEntries(network.rules.broken) }),
    makeHistory({ phone, digits, messages, bytes }) {
      accounts.get(phone).history = makeHistory(phoneJid(accounts.get(digits)), messages, bytes)
    },
    provideSalt: ({ phone, salt }) => provideSalt(network, phone, Buffer.from(salt, 'base64')),
    saveContact: ({ phone, digits, name }) => saveContact(network, phone, digits, name),
    receipt({ from, by, id, type }) {
      sendReceipt(network, accounts.get(by), { from: `${from}@s.whatsapp.net`, id }, type)
    },
    counts: () => ({
      ...network.counts,
      connections: network.connections.size,
      firstFault: network.firstFault,
      pending: [...network.connections].reduce((sum, { device }) => sum + (device?.pending.size ?? 0), 0),
    }),
    quiet: () => ({ isQuiet: network.isQuiet(), activity: network.activity }),
    texts: () => ({ texts: [...network.texts] }),
    transcript({ from, to, since = 0 }) {
      const messages = network.transcript.slice(since)
      const fits = (shown: ShownMessage) => (!from || shown.from === from) && (!to || shown.to === to)
      return { messages: messages.filter(fits).map(toShown) }
    },
    phoneShows({ by, from, id }) {
      const shown = accounts.get(by).shown.get(`${from}/${id}`)
      return { shown: shown ? toShown(shown) : null }
    },
    account({ phone }) {
      const { devices, picture, ...rest } = accounts.get(phone)
      const { ticks, name, about, presence } = rest
      return {
        devices: [...devices.keys()],
        ticks,
        name,
        about,
        presence,
        picture: picture?.toString('base64') ?? null,
      }
    },
  }
}

/** Handles `POST /control/<call>`: JSON in, JSON out. */
export function handleControl(network: Network, request: IncomingMessage, response: ServerResponse): void {
  const name = /^\/control\/(\w+)$/.exec(request.url ?? '')?.[1] ?? ''
  const calls = controlOf(network) as unknown as Record<string, (call: unknown) => unknown>
  const call = Object.hasOwn(calls, name) ? calls[name] : undefined
  if (request.method !== 'POST' || !call) return void response.writeHead(404).end()
  const respond = (status: number, body: unknown) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  json(request)
    .then(call)
    .then(
      (result) => respond(200, result ?? {}),
      (error: unknown) => respond(409, { error: error instanceof Error ? error.message : String(error) }),
    )
}
