import { setTimeout as delay } from 'node:timers/promises'
import type { Knex } from 'knex'
import pg from 'pg'
import type { Db } from './db.ts'

/** What a loop may be woken for. Each is only a hint: every loop also polls by itself. */
type WakeChannel =
  | 'lanes'
  /** Texts of high priority: the pause between two claims ends. */
  | 'urgent'
  | 'lane-closed'
  | 'checks'
  | 'gateway'
  | 'gateway-hosts'
  | 'inbox'
  | 'deliveries'
  | 'events'
  | 'imports'
  | 'mail'
  | 'deletions'
  | 'bots'
  | 'clock'
  | 'credentials'
  | 'decisions'
  | 'billing'
  /** The simulated payment provider has something to deliver. */
  | 'sim-pay'

/**
 * Shortens waits inside a process and, by NOTIFY, between processes. Nothing depends on a signal to arrive. What is
 * stored in the database is announced by {@link afterCommit}.
 */
export interface Wake {
  /** Notifies the listeners of `channel`. Many calls in a short time become one. */
  signal(channel: WakeChannel): void
  /** Calls `listener` on each signal until the returned function is called. */
  on(channel: WakeChannel, listener: () => void): () => void
  /** Whether signals of other processes arrive at present; while they do, an idle loop may poll less often. */
  isHeard(): boolean
  stop(): Promise<void>
}

const pgChannel = 'msgctl_wake'
const notifySpacingMs = 20
/** What a person waits for is rarer. */
const urgentSpacingMs = 5
const reconnectMs = 1000

/**
 * Returns how long an idle loop may sleep that knows its next time and is signalled for earlier work: 3 s while signals
 * of other processes arrive, 1 s otherwise.
 */
export function idleWaitMs(wake: Wake): number {
  return wake.isHeard() ? 3000 : 1000
}

/** The channels that open transactions have made necessary, by transaction. */
const necessary = new WeakMap<Db, Set<WakeChannel>>()

/**
 * Signals `channels` for what was stored just now: once the transaction has committed, at once outside of one. What is
 * rolled back, or retried, signals nothing. The function that stores something calls it, so that its callers need not.
 */
export function afterCommit(db: Db, ...channels: readonly WakeChannel[]): void {
  const wakes = wakesOf(db)
  if (!db.isTransaction) {
    signalAll(wakes, channels)
    return
  }
  let later = necessary.get(db)
  if (later === undefined) {
    const own = new Set<WakeChannel>()
    later = own
    necessary.set(db, own)
    // The owner of the transaction handles its failure.
    const { executionPromise } = db as Knex.Transaction
    executionPromise.then(
      () => signalAll(wakes, own),
      () => undefined,
    )
  }
  for (const channel of channels) later.add(channel)
}

/** Makes {@link afterCommit} signal through `wake`, on `db` and in its transactions, until the result is called. */
export function signalThrough(db: Db, wake: Wake): () => void {
  const wakes = wakesOf(db).add(wake)
  return () => void wakes.delete(wake)
}

/** A pool shares this object with its transactions. */
function wakesOf({ userParams }: Db): Set<Wake> {
  userParams.wakes ??= new Set<Wake>()
  return userParams.wakes
}

function signalAll(wakes: Iterable<Wake>, channels: Iterable<WakeChannel>): void {
  for (const wake of wakes) for (const channel of channels) wake.signal(channel)
}

/** Signals that stay inside this process. */
export function localWake(): Wake {
  const listeners = new Map<WakeChannel, Set<() => void>>()
  return {
    signal(channel) {
      for (const listener of listeners.get(channel) ?? []) listener()
    },
    on(channel, listener) {
      const set = listeners.get(channel) ?? new Set()
      listeners.set(channel, set.add(listener))
      return () => void set.delete(listener)
    },
    isHeard: () => false,
    stop: async () => undefined,
  }
}

/**
 * Signals for this process and, by NOTIFY, for all others at the same database. NOTIFY takes a lock at commit that all
 * sessions share, so it is sent alone, outside every transaction. The first signal of a channel leaves at once; those
 * of the next 20 ms become one (`urgent`: 5 ms). Without `listens`, where sessions are shared and cannot listen, none
 * of others arrive. What is stored through `db` signals through it.
 */
export function startWake(db: Db, databaseUrl: string, listens = true): Wake {
  const local = localWake()
  const origin = crypto.randomUUID()
  const pending = new Map<WakeChannel, NodeJS.Timeout>()
  const notifiedAtMs = new Map<WakeChannel, number>()
  let stopped = false
  let listening: pg.Client | undefined
  let isHeard = false

  async function listen(): Promise<void> {
    while (!stopped) {
      const client = new pg.Client({
        connectionString: databaseUrl,
        application_name: 'msgctl wake',
        connectionTimeoutMillis: 10_000,
        keepAlive: true,
      })
      const ended = new Promise<void>((resolve) => {
        client.on('error', () => resolve())
        client.on('end', () => resolve())
      })
      client.on('notification', ({ payload }) => {
        const [from, channel] = payload?.split(' ') ?? []
        if (from !== origin) local.signal(channel as WakeChannel)
      })
      try {
        await client.connect()
        await client.query(`listen ${pgChannel}`)
        listening = client
        isHeard = !stopped
        if (stopped) await client.end()
        await ended
        isHeard = false
      } catch {
        // The database is unavailable or restarting; until then the loops poll by themselves.
        client.end().catch(() => undefined)
      }
      if (!stopped) await delay(reconnectMs, undefined, { ref: false })
    }
  }
  const loop = listens ? listen() : Promise.resolve()

  function notify(channel: WakeChannel): void {
    pending.delete(channel)
    notifiedAtMs.set(channel, performance.now())
    db.raw('select pg_notify(?, ?)', [pgChannel, `${origin} ${channel}`]).catch(() => undefined)
  }

  const wake: Wake = {
    signal(channel) {
      local.signal(channel)
      if (stopped || pending.has(channel)) return
      const spacingMs = channel === 'urgent' ? urgentSpacingMs : notifySpacingMs
      const waitMs = (notifiedAtMs.get(channel) ?? Number.NEGATIVE_INFINITY) + spacingMs - performance.now()
      if (waitMs <= 0) return notify(channel)
      pending.set(channel, setTimeout(notify, waitMs, channel).unref())
    },
    on: local.on,
    isHeard: () => isHeard,
    async stop() {
      stopped = true
      unsubscribe()
      for (const timer of pending.values()) clearTimeout(timer)
      await listening?.end().catch(() => undefined)
      await Promise.race([loop, delay(200, undefined, { ref: false })])
    },
  }
  const unsubscribe = signalThrough(db, wake)
  return wake
}
