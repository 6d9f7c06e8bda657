import { randomUUID } from 'node:crypto'
import { limits } from '@msgctl/contract'
import { byOrganization, limitReached } from '#api/access/limit-key.ts'
import type { Caller } from '#api/http/handler.ts'
import { startPollingLoop } from '#platform/concurrency/polling-loop.ts'
import type { Services } from '#services.ts'
import type { Reader } from './reader.ts'
import { acquireLease, releaseLease, renewLeases, type StreamKind, type StreamLease } from './stream-lease-store.ts'

/** The caller of a stream, as far as its access is checked again. */
export type StreamCaller = Pick<Caller, 'kind' | 'organizationId' | 'credentialHash'>

/** The open streams of one organization, and what they have in common. */
interface Topic<Read extends Reader, Shared> {
  readonly shared: Shared
  readonly open: ReadonlyMap<Read, unknown>
}

/** What the streams of one kind read, and who may. */
export interface HubOptions<Called extends StreamCaller, Read extends Reader, Shared, Access> {
  readonly kind: StreamKind
  readonly minIntervalMs: number
  /** The signal after which it reads at once. */
  readonly on?: 'events'
  /** Reads for all open streams, by organization. Resolves as the poll of a loop does. */
  poll(topics: ReadonlyMap<string, Topic<Read, Shared>>): Promise<boolean | number>
  /** Returns what a caller may read now; null when the access has ended. */
  check(caller: Called): Promise<Access | null>
  /** Called with each reader after its check. */
  allowed?(reader: Read, access: Access, shared: Shared): void
}

/** The open streams of one kind of one process. */
export interface StreamHub<Called extends StreamCaller, Read extends Reader, Shared> {
  /**
   * Opens a stream for the reader that `join` makes, for the streams that the organization has already or for its
   * first. Returns the reader, and a function that ends it; a second call has no effect. Throws RATE_LIMIT when the
   * organization has as many open streams as it may have, over all processes.
   */
  open(
    caller: Called,
    join: (shared: Shared | undefined) => { readonly shared: Shared; readonly reader: Read },
  ): Promise<{ readonly reader: Read; close(): Promise<void> }>
  /**
   * Renews all leases, sends every stream a heartbeat, and ends those whose access has ended. A timer calls it every
   * 15 s.
   */
  beat(): Promise<void>
}

const heartbeatMs = limits.events.heartbeatSeconds * 1000

/** Creates a hub. One loop reads for all its streams; it runs only while one is open. */
export function createHub<Called extends StreamCaller, Read extends Reader, Shared, Access>(
  { db, log, wake }: Services,
  { kind, minIntervalMs, on, poll, check, allowed }: HubOptions<Called, Read, Shared, Access>,
): StreamHub<Called, Read, Shared> {
  interface Open {
    readonly caller: Called
    readonly lease: StreamLease
  }
  const topics = new Map<string, { readonly shared: Shared; readonly open: Map<Read, Open> }>()
  let stopPolling: (() => void) | null = null

  /** Ends the streams whose access has ended, and calls `then` with the readers of the others. */
  async function checkAll(then: (reader: Read) => void): Promise<void> {
    const checks = new Map<string, Promise<Access | null>>()
    const checkOnce = (caller: Called) => {
      const credential = caller.credentialHash.toString('hex')
      const checked = checks.get(credential) ?? check(caller)
      checks.set(credential, checked)
      return checked
    }
    await Promise.all(
      [...topics.values()].flatMap(({ shared, open }) =>
        [...open].map(async ([reader, { caller }]) => {
          const access = await checkOnce(caller)
          if (access === null) return reader.end()
          allowed?.(reader, access, shared)
          then(reader)
        }),
      ),
    )
  }

  async function beat(): Promise<void> {
    const leases = [...topics.values()].flatMap(({ open }) => [...open.values()].map(({ lease }) => lease))
    await renewLeases(db, leases)
    await checkAll((reader) => reader.beat())
  }

  function startPolling(): void {
    const name = `reading streams of ${kind}`
    const loop = startPollingLoop({ name, log, minIntervalMs, poll: () => poll(topics) })
    // Without the database nothing can be read either. The next heartbeat checks again.
    const failed = (error: unknown) =>
      log.warn({ event: 'stream_check_failed', err: error, streams: kind }, 'failed to check the access of streams')
    const timer = setInterval(() => void beat().catch(failed), heartbeatMs)
    timer.unref()
    const unsubscribes = [
      wake.on('credentials', () => void checkAll(() => undefined).catch(failed)),
      ...(on ? [wake.on(on, loop.wake)] : []),
    ]
    stopPolling = () => {
      for (const unsubscribe of unsubscribes) unsubscribe()
      clearInterval(timer)
      void loop.stop()
    }
  }

  async function close(organizationId: string, reader: Read): Promise<void> {
    const topic = topics.get(organizationId)
    const open = topic?.open.get(reader)
    if (!topic || !open) return
    topic.open.delete(reader)
    reader.end()
    if (topic.open.size === 0) topics.delete(organizationId)
    if (topics.size === 0) {
      stopPolling?.()
      stopPolling = null
    }
    // If this fails, the lease expires by itself.
    await releaseLease(db, open.lease).catch((error) =>
      log.warn({ event: 'stream_lease_release_failed', err: error, streams: kind }, 'failed to release a stream lease'),
    )
  }

  return {
    beat,
    async open(caller, join) {
      const { organizationId } = caller
      const lease: StreamLease = { id: randomUUID(), organizationId, kind }
      if (!(await acquireLease(db, lease))) throw streamLimitReached(organizationId, kind)
      const known = topics.get(organizationId)
      const { shared, reader } = join(known?.shared)
      const topic = known ?? { shared, open: new Map<Read, Open>() }
      topic.open.set(reader, { caller, lease })
      topics.set(organizationId, topic)
      if (!stopPolling) startPolling()
      return { reader, close: () => close(organizationId, reader) }
    },
  }
}

function streamLimitReached(organizationId: string, kind: StreamKind) {
  const name = kind === 'events' ? 'event streams' : 'overview streams'
  const message = `The organization has ${limits[kind].streams} open ${name} already. Close one first.`
  return limitReached(byOrganization(name, organizationId), message, {
    retryAfterSeconds: limits.events.heartbeatSeconds,
  })
}
