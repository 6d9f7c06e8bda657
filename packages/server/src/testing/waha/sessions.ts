import { setTimeout as wait } from 'node:timers/promises'
import { GatewayError } from '@msgctl/network/errors'
import type { Driver } from '@msgctl/network/gateway'
import type { GatewaySession, SessionState } from '@msgctl/network/session'
import { BrokenConnection, type EngineName, noSession, wrongStatus } from './failures.ts'
import type { WebhookTarget } from './webhooks.ts'

/** The configuration of a session, as it was created. */
export interface SessionConfig {
  readonly metadata?: { readonly containerId?: string; readonly organizationId?: string }
  readonly webhooks?: readonly WebhookTarget[]
  readonly ignore?: Readonly<Partial<Record<'status' | 'channels' | 'broadcast' | 'groups', boolean>>>
}

type Status = SessionState['status'] | 'PASSKEY_REQUIRED' | 'PASSKEY_CONFIRMATION_REQUIRED'
interface Me {
  readonly id: string
  readonly pushName: string
}

/** What the network allows an account, as WAHA names it; null: nothing was seen. */
export interface FakeLimits {
  readonly reachoutTimelock: { enforcementType: string; isActive: boolean; timeEnforcementEnds: number | null } | null
  readonly messageCapping: {
    cappingStatus: string
    totalQuota: number
    usedQuota: number
    cycleStart: number | null
    cycleEnd: number | null
    mvStatus: string | null
    oteStatus: string | null
  } | null
}

/** A webhook that a deaf session did not emit. */
type Unsent = readonly [event: string, payload: object]

/** One session of the fake server; the network behind it knows the number by the same name. */
export interface FakeSession {
  readonly name: string
  config: SessionConfig
  /** A status that the network behind does not have: a passkey, or the end of the link by the phone. */
  shown: Status | null
  /** The logout was requested here, so the session continues with the next QR by itself. */
  isLoggingOut: boolean
  me: Me | null
  statuses: { readonly status: Status; readonly timestamp: number }[]
  lastMs: number
  /** The order of the latest state of the network behind that was shown, in a response or a webhook. */
  sequence: number
  limits: FakeLimits
  /** Every send fails with 400 until the session is restarted, while it shows WORKING. */
  isJammed: boolean
  /** The session emits no webhooks until it is restarted; null: it does emit them. */
  unsent: Unsent[] | null
  /** The chats in which the typing indicator is shown. */
  readonly typing: Set<string>
}

/** The sessions of a fake server. */
export interface FakeSessions {
  create(name: string, config: SessionConfig): FakeSession
  /** Throws the response 404 for an unknown session. */
  require(name: string): FakeSession
  find(name: string): FakeSession | undefined
  delete(name: string): void
  all(): readonly FakeSession[]
  /** The number behind a session. */
  toNumber(session: FakeSession): GatewaySession
  describe(session: FakeSession): Promise<object>
  /** Holds a call to a session in another status, as WAHA does, and then refuses it. */
  expecting(name: string, ...statuses: readonly Status[]): Promise<FakeSession>
  /** The time of the host for the next webhook of a session: never twice the same. */
  tick(session: FakeSession): number
  /** Records the state that the network reported. Returns the payload of each status that the session went through. */
  reported(session: FakeSession, state: SessionState): object[]
}

export interface FakeSessionsOptions {
  readonly network: Driver
  readonly engine: EngineName
  readonly hangMs: number
}

const keptStatuses = 3

export function fakeSessions({ network, engine, hangMs }: FakeSessionsOptions): FakeSessions {
  const sessions = new Map<string, FakeSession>()

  function require(name: string): FakeSession {
    const session = sessions.get(name)
    if (!session) throw noSession()
    return session
  }

  function toNumber({ name, config }: FakeSession): GatewaySession {
    return { containerId: name, organizationId: config.metadata?.organizationId ?? name }
  }

  async function current(session: FakeSession): Promise<{ status: Status; me: Me | null }> {
    const { status, me, sequence } = await reached(network.state(toNumber(session)))
    session.sequence = Math.max(session.sequence, sequence)
    return { status: session.shown ?? status, me: me && { id: me.id, pushName: me.pushName } }
  }

  function tick(session: FakeSession): number {
    session.lastMs = Math.max(Date.now(), session.lastMs + 1)
    return session.lastMs
  }

  function show(session: FakeSession, status: Status): object {
    session.statuses = [...session.statuses, { status, timestamp: Date.now() }].slice(-keptStatuses)
    return { name: session.name, status, statuses: session.statuses, data: null }
  }

  return {
    create(name, config) {
      const session: FakeSession = {
        name,
        config,
        shown: null,
        isLoggingOut: false,
        me: null,
        statuses: [],
        lastMs: 0,
        sequence: 0,
        limits: { reachoutTimelock: null, messageCapping: null },
        isJammed: false,
        unsent: null,
        typing: new Set(),
      }
      sessions.set(name, session)
      return session
    },
    require,
    find: (name) => sessions.get(name),
    delete: (name) => void sessions.delete(name),
    all: () => [...sessions.values()],
    toNumber,
    async describe(session) {
      const { name, config } = session
      const { status, me } = await current(session)
      const account = me && { ...me, ...session.limits }
      const unknown = { presence: null, timestamps: { activity: null } }
      return { name, status, config, me: account, engine: { engine }, assignedWorker: 'waha', ...unknown }
    },
    async expecting(name, ...statuses) {
      const session = require(name)
      if (statuses.includes((await current(session)).status)) return session
      await wait(hangMs)
      const { status } = await current(session)
      if (!statuses.includes(status)) throw wrongStatus(name, status, statuses)
      return session
    },
    tick,
    reported(session, { status, reason, me, sequence }) {
      // The network behind may report a state late. An engine reports it when it changes, so never after a later one.
      if (sequence < session.sequence) return []
      session.sequence = sequence
      session.me = me ?? session.me
      if (status === 'SCAN_QR_CODE' && reason === 'logged_out' && !session.isLoggingOut) {
        // The phone ended the link: WAHA shows no QR before the session is started again.
        session.shown = 'FAILED'
        return [show(session, 'FAILED')]
      }
      const steps = session.isLoggingOut && status === 'SCAN_QR_CODE' ? (['STARTING', status] as const) : [status]
      if (status === 'SCAN_QR_CODE') {
        session.me = null
        session.isLoggingOut = false
      }
      return steps.map((step) => show(session, step))
    },
  }
}

/** Returns whether a session emits nothing about a chat. */
export function isIgnored({ ignore = {} }: SessionConfig, chat: string): boolean {
  if (chat === 'status@broadcast') return Boolean(ignore.status || ignore.broadcast)
  const kinds = { '@broadcast': ignore.broadcast, '@newsletter': ignore.channels, '@g.us': ignore.groups }
  return Object.entries(kinds).some(([suffix, isIgnoring]) => isIgnoring && chat.endsWith(suffix))
}

/** Waits for a call of the network; a host that is down breaks the connection. */
export async function reached<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    if (error instanceof GatewayError && error.kind === 'unreachable') throw new BrokenConnection()
    throw error
  }
}
