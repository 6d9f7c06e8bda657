import { randomBytes } from 'node:crypto'
import type { BinaryNode } from 'baileys'
import { makeIdentity, type NetworkIdentity } from './frames/identity.ts'
import { node } from './frames/nodes.ts'
import {
  type Account,
  Accounts,
  type Addressing,
  type Connection,
  type Device,
  type ShownMessage,
} from './people/accounts.ts'
import { type Profile, Rules } from './rules/rules.ts'

/** What goes wrong on request. */
export interface Faults {
  /** Errors of queries, by the namespace of the query. */
  iq: Map<string, Record<string, string>>
  /** Codes with which messages are refused, by the digits of the recipient. */
  refusals: Map<string, string>
  /** Codes with which the next messages are refused, one each. */
  refuseNext: string[]
  /** Each so many-th query is lost on the way: 10 for one in ten; 0: none. */
  loseEveryQuery: number
  /** Nothing that devices send is handled, and nothing is sent to them; their connections stay. */
  isMute: boolean
  /** How many of the next messages are not acknowledged. */
  dropAcks: number
  /** How long every stanza of a device takes. */
  latencyMs: number
  /** How long acknowledgements take. */
  ackMs: number
  /** What becomes of messages, all of them or a part from 0 to 1. */
  sends: { readonly fault: SendFault; readonly rate: number } | null
  /** Questions about people get no response. */
  silentChecks: boolean
  /** Devices of others get no edits. */
  lostEdits: boolean
  /** The file host has no file any more. */
  lostFiles: boolean
  /** How far the clock of the file host is ahead. */
  clockAheadMs: number
}

/** What can become of a message: it is refused, taken without an acknowledgement, or dropped without a word. */
export type SendFault = 'refused' | 'unacknowledged' | 'swallowed'

/** What the network has counted since it started. */
export interface Counts {
  messages: number
  receipts: number
  /** Messages that a phone could not decrypt. */
  undecryptable: number
  /** Messages that arrived at a phone for a second time. */
  duplicates: number
  /** Requests of phones, and of devices, to send a message again. */
  retriesOfPhones: number
  retriesOfDevices: number
  logins: number
  /** Messages of devices to their own phone, such as requests for a message that they cannot decrypt. */
  requestsToPhones: number
  /** Queries about people. */
  queries: number
  /** All queries. */
  asked: number
  /** Connections that another one of the same device replaced. */
  replaced: number
}

/** A device that waits for the code of its owner. */
export interface PendingCode {
  readonly connection: Connection
  readonly ref: Buffer
  readonly wrappedEphemeral: Buffer
  readonly requestedAtMs: number
  finish?: { readonly account: Account; readonly shared: Buffer }
}

/** The state of the test network. What happens in it is in the other files here; its people and rules have folders. */
export class Network {
  readonly accounts = new Accounts()
  readonly identity: NetworkIdentity
  /** The codes in the QRs that are shown now. */
  readonly refs = new Map<string, Connection>()
  readonly codes = new Map<string, PendingCode>()
  /** Messages in the order in which phones showed them. */
  readonly transcript: ShownMessage[] = []
  /** Patches of application state, by `digits/collection`. */
  readonly appState = new Map<string, Buffer[]>()
  readonly files = new Map<string, Buffer>()
  readonly faults: Faults = {
    iq: new Map(),
    refusals: new Map(),
    refuseNext: [],
    loseEveryQuery: 0,
    isMute: false,
    dropAcks: 0,
    latencyMs: 0,
    ackMs: 0,
    sends: null,
    silentChecks: false,
    lostEdits: false,
    lostFiles: false,
    clockAheadMs: 0,
  }
  readonly counts: Counts = {
    messages: 0,
    receipts: 0,
    undecryptable: 0,
    duplicates: 0,
    retriesOfPhones: 0,
    retriesOfDevices: 0,
    logins: 0,
    requestsToPhones: 0,
    queries: 0,
    asked: 0,
    replaced: 0,
  }
  readonly connections = new Set<Connection>()
  /** How many timers and stanzas still lead to something. */
  working = 0
  /** How many stanzas went in either direction. Two equal readings show that nothing happened between them. */
  activity = 0
  /** Messages that it took and did not acknowledge: `sender digits/message id`. */
  readonly unacknowledged = new Set<string>()
  /** Everything that people and numbers wrote. */
  readonly texts = new Set<string>()
  /** The first reason why a phone could not decrypt. */
  firstFault: string | null = null
  addressing: Addressing
  readonly rules: Rules
  /** The oldest versions of a client that phones link, and that may log in, by their last part. */
  readonly oldest = { linked: 1_040_000_000, loggedIn: 1_020_000_000 }
  /** Factor of all times of people; 0.1 is ten times as fast. */
  readonly speed: number
  /** Whether a device that has accepted its link has to connect again with it. */
  endsLinking = true
  mediaHost: string | null = null
  /** Called for each stanza of a device, before it is handled. */
  onStanza: ((connection: Connection, stanza: BinaryNode) => void) | null = null

  constructor(
    options: { identity?: NetworkIdentity; addressing?: Addressing; speed?: number; profile?: Profile } = {},
  ) {
    this.identity = options.identity ?? makeIdentity()
    this.addressing = options.addressing ?? 'lid'
    this.rules = new Rules(options.profile ?? '2026-09')
    this.speed = options.speed ?? 1
  }

  /** Delivers a stanza to a device, now or at its next login, until the device acknowledges it. */
  deliver(device: Device, stanza: BinaryNode): void {
    const type = stanza.tag === 'message' ? '' : (stanza.attrs.type ?? '')
    device.pending.set(`${stanza.tag}/${stanza.attrs.id}${type}`, stanza)
    this.activity++
    device.connection?.send(stanza)
  }

  /** Sends a stanza that ends the connection of a device, and closes it. */
  end(connection: Connection, stanza: BinaryNode): void {
    connection.send(stanza)
    this.after(30, () => connection.close())
  }

  /** Runs something a little later, at the speed of the network. */
  later(ms: number, work: () => unknown): void {
    this.after(ms * this.speed, work)
  }

  /** Runs something after so many milliseconds, whatever the speed. Its failure has no effect. */
  after(ms: number, work: () => unknown): void {
    this.working++
    setTimeout(() => {
      this.working--
      void this.track(async () => work()).catch(() => undefined)
    }, ms).unref()
  }

  /** Runs something, during which the network is not quiet. */
  async track<T>(work: () => Promise<T>): Promise<T> {
    this.working++
    this.activity++
    try {
      return await work()
    } finally {
      this.working--
    }
  }

  /** Whether nothing is under way, except for devices and phones that are offline. */
  isQuiet(): boolean {
    if (this.working > 0) return false
    return [...this.connections].every(({ device }) => !device || (device.pending.size === 0 && !device.isNew))
  }
}

/** Makes an id as a phone makes it. */
export function newMessageId(): string {
  return `3A${randomBytes(9).toString('hex').toUpperCase()}`
}

/** Makes the error of a query. */
export function queryError(id: string, attrs: Record<string, string>): BinaryNode {
  return node('iq', { from: 's.whatsapp.net', type: 'error', id }, [node('error', attrs)])
}
