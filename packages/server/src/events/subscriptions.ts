import { limits } from '@msgctl/contract'
import { byOrganization, limitReached } from '#api/access/limit-key.ts'
import { type PollingLoop, startPollingLoop } from '#platform/concurrency/polling-loop.ts'
import type { Services } from '#services.ts'
import { type Feed, type FilledFeed, feedFrom } from './feed.ts'
import { findLastPosition, readNewEvents } from './log-store.ts'
import { type Follower, stillAllowed } from './still-allowed.ts'
import { acquireLease, releaseLease, renewLeases, type StreamLease } from './stream-lease-store.ts'

/** The subscription of one open stream. */
export interface Subscription {
  readonly feed: Feed
  /** The organization's last position when the stream was opened. */
  readonly position: number
  /** Ends the feed and releases the lease. A second call has no effect. */
  close(): Promise<void>
}

/** The open streams of one process. One poller reads for all of them; it runs only while a stream is open. */
export interface Subscriptions {
  /**
   * Opens a feed of all events from now on. Throws RATE_LIMIT if the organization has 20 open streams over all
   * processes.
   */
  open(follower: Follower): Promise<Subscription>
  /**
   * Renews all leases, sends every stream a heartbeat, and ends streams whose access was revoked. A timer calls it
   * every 15 s.
   */
  beat(): Promise<void>
}

interface Topic {
  position: number
  readonly feeds: Map<FilledFeed, Follower>
}

const eventsPerPoll = 500
const spacingMs = 25
const heartbeatMs = limits.events.heartbeatSeconds * 1000

const ofServices = new WeakMap<Services, Subscriptions>()

/** Returns the streams of the process that `services` belong to. */
export function subscriptionsOf(services: Services): Subscriptions {
  const known = ofServices.get(services) ?? createSubscriptions(services)
  ofServices.set(services, known)
  return known
}

function createSubscriptions(services: Services): Subscriptions {
  const topics = new Map<string, Topic>()
  const leases = new Map<string, StreamLease>()
  let stopPolling: (() => void) | null = null

  async function poll(): Promise<boolean> {
    const readers = [...topics].map(([organizationId, { position }]) => ({ organizationId, position }))
    const found = await readNewEvents(services.db, readers, eventsPerPoll)
    for (const [organizationId, topic] of topics) {
      const fresh = found.filter((event) => event.organizationId === organizationId && event.position > topic.position)
      const last = fresh.at(-1)
      if (!last) continue
      topic.position = last.position
      for (const feed of topic.feeds.keys()) feed.push(fresh, last.position)
    }
    return found.length > 0
  }

  async function beat(): Promise<void> {
    await renewLeases(services.db, [...leases.values()])
    await endRevoked((feed) => feed.beat())
  }

  /** Ends the streams whose access was revoked, and calls `otherwise` with each of the others. */
  async function endRevoked(otherwise: (feed: FilledFeed) => void): Promise<void> {
    const checks = new Map<string, Promise<boolean>>()
    const checkFollower = (follower: Follower) => {
      const credential = follower.credentialHash.toString('hex')
      const check = checks.get(credential) ?? stillAllowed(services.db, follower)
      checks.set(credential, check)
      return check
    }
    const feeds = [...topics.values()].flatMap((topic) => [...topic.feeds])
    await Promise.all(
      feeds.map(async ([feed, follower]) => ((await checkFollower(follower)) ? otherwise(feed) : feed.end())),
    )
  }

  function startPolling(): void {
    const loop: PollingLoop = startPollingLoop({
      name: 'following events',
      log: services.log,
      poll,
      minIntervalMs: spacingMs,
    })
    const unsubscribe = services.wake.on('events', loop.wake)
    // Without the database nothing can be read either. The next heartbeat checks again.
    const failed = (error: unknown) =>
      services.log.warn({ event: 'stream_check_failed', err: error }, 'failed to check the access of event streams')
    const timer = setInterval(() => void beat().catch(failed), heartbeatMs)
    const unsubscribeChecks = services.wake.on('credentials', () => void endRevoked(() => undefined).catch(failed))
    timer.unref()
    stopPolling = () => {
      unsubscribe()
      unsubscribeChecks()
      clearInterval(timer)
      void loop.stop()
    }
  }

  function subscribeFeed(organizationId: string, follower: Follower, position: number): FilledFeed {
    const topic = topics.get(organizationId) ?? { position, feeds: new Map() }
    topics.set(organizationId, topic)
    const feed = feedFrom(topic.position)
    topic.feeds.set(feed, follower)
    if (!stopPolling) startPolling()
    return feed
  }

  function unsubscribeFeed(organizationId: string, feed: FilledFeed): void {
    const topic = topics.get(organizationId)
    if (!topic?.feeds.delete(feed)) return
    feed.end()
    if (topic.feeds.size === 0) topics.delete(organizationId)
    if (topics.size > 0) return
    stopPolling?.()
    stopPolling = null
  }

  async function requireLease(organizationId: string): Promise<StreamLease> {
    const lease: StreamLease = { id: crypto.randomUUID(), organizationId, kind: 'events' }
    if (!(await acquireLease(services.db, lease))) throw streamLimitReached(organizationId)
    leases.set(lease.id, lease)
    return lease
  }

  /** If this fails, the lease expires by itself. */
  async function releaseStream(lease: StreamLease): Promise<void> {
    if (!leases.delete(lease.id)) return
    await releaseLease(services.db, lease).catch((error) =>
      services.log.warn({ event: 'stream_lease_release_failed', err: error }, 'failed to release event stream lease'),
    )
  }

  return {
    beat,
    async open(follower) {
      const { organizationId } = follower
      const lease = await requireLease(organizationId)
      try {
        const position = await findLastPosition(services.db, organizationId)
        const feed = subscribeFeed(organizationId, follower, position)
        const close = () => {
          unsubscribeFeed(organizationId, feed)
          return releaseStream(lease)
        }
        return { feed, position, close }
      } catch (error) {
        await releaseStream(lease)
        throw error
      }
    },
  }
}

function streamLimitReached(organizationId: string) {
  const message = `The organization has ${limits.events.streams} open event streams already. Close one first.`
  return limitReached(byOrganization('event streams', organizationId), message, {
    retryAfterSeconds: limits.events.heartbeatSeconds,
  })
}
