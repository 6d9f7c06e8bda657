import { missingProducts } from '@msgctl/contract'
import { findKey, useToken } from '#api/access/credential-store.ts'
import type { Caller } from '#api/http/handler.ts'
import type { Db } from '#platform/db/db.ts'
import type { Services } from '#services.ts'
import { type Feed, feedFrom } from './feed.ts'
import { findLastPosition, readNewEvents } from './log-store.ts'
import { createHub, type StreamHub } from './stream-hub.ts'

/** The caller of a stream. */
type Follower = Pick<Caller, 'kind' | 'organizationId' | 'credentialHash'>

/**
 * Returns whether the caller of a stream may still read it: the key or token is valid, the organization is active, and
 * it has an active product with the event log.
 */
async function stillAllowed(db: Db, { kind, organizationId, credentialHash }: Follower): Promise<boolean> {
  const row = await (kind === 'user' ? useToken(db, credentialHash) : findKey(db, credentialHash))
  if (!row || row.deactivated || row.moving || row.organizationId !== organizationId) return false
  return missingProducts('webhooks', new Set(row.products), kind !== 'user').length === 0
}

/** The subscription of one open stream. */
export interface Subscription {
  readonly feed: Feed
  /** The organization's last position when the stream was opened. */
  readonly position: number
  /** Ends the feed and releases the lease. A second call has no effect. */
  close(): Promise<void>
}

/** The open event streams of one process. */
export interface Subscriptions extends Pick<StreamHub<Follower, Feed, Shared>, 'beat'> {
  /**
   * Opens a feed of all events from now on. Throws RATE_LIMIT if the organization has 20 open streams over all
   * processes.
   */
  open(follower: Follower): Promise<Subscription>
}

/** The feeds of an organization have the events up to this position. */
interface Shared {
  position: number
}

const eventsPerPoll = 500

const ofServices = new WeakMap<Services, Subscriptions>()

/** Returns the streams of the process that `services` belong to. */
export function subscriptionsOf(services: Services): Subscriptions {
  const known = ofServices.get(services) ?? createSubscriptions(services)
  ofServices.set(services, known)
  return known
}

function createSubscriptions(services: Services): Subscriptions {
  const { db } = services
  const hub = createHub<Follower, Feed, Shared, true>(services, {
    kind: 'events',
    minIntervalMs: 25,
    on: 'events',
    check: async (follower) => (await stillAllowed(db, follower)) || null,
    async poll(topics) {
      const positions = [...topics].map(([organizationId, { shared }]) => ({ organizationId, ...shared }))
      const found = await readNewEvents(db, positions, eventsPerPoll)
      for (const [organizationId, { shared, open }] of topics) {
        const fresh = found.filter((one) => one.organizationId === organizationId && one.position > shared.position)
        const last = fresh.at(-1)
        if (!last) continue
        shared.position = last.position
        for (const feed of open.keys()) feed.push(fresh, last.position)
      }
      return found.length > 0
    },
  })
  return {
    beat: hub.beat,
    async open(follower) {
      const position = await findLastPosition(db, follower.organizationId)
      const { reader, close } = await hub.open(follower, (shared = { position }) => ({
        shared,
        reader: feedFrom(shared.position),
      }))
      return { feed: reader, position, close }
    },
  }
}
