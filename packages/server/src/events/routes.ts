import type { Contract } from '@msgctl/contract'
import type { Handlers } from '#api/http/handler.ts'
import { invalidField } from '#platform/errors.ts'
import type { Services } from '#services.ts'
import { formatCursor, parseCursor } from './cursor.ts'
import { toEventFilter } from './filter.ts'
import { follow } from './follow.ts'
import { findPosition, readEvents } from './log-store.ts'
import { toLoggedEvent } from './logged-event.ts'
import { requireOwnNumber } from './own-number-store.ts'
import { requestReplay } from './replay.ts'
import { subscriptionsOf } from './subscriptions.ts'
import { findBounds } from './time-store.ts'

/** How to continue without a position: a list begins with the oldest event, and a stream with the next one. */
const remedies = {
  list: 'leave it out to start from the oldest event',
  stream: 'pass since instead to start from a time; without either, a stream starts now',
} as const

/** Returns the position of the cursor `after`. Throws VALIDATION_ERROR if the organization's log does not have it. */
async function resolvePosition(
  { db }: Services,
  organizationId: string,
  after: string,
  way: keyof typeof remedies,
): Promise<number> {
  const cursor = parseCursor(after)
  if ('position' in cursor) return cursor.position
  const position = await findPosition(db, organizationId, cursor.eventId)
  if (position === undefined) throw invalidField('after', `is not an event of the last 30 days; ${remedies[way]}`)
  return position
}

/**
 * Throws VALIDATION_ERROR for a cursor after the end of the log, such as one of another service or from before a
 * restore of the database. Its reader would miss all events until the log has caught up.
 */
function requireReached(after: number, lastPosition: number, way: keyof typeof remedies): void {
  if (after > lastPosition) throw invalidField('after', `is after the end of the log; ${remedies[way]}`)
}

/** The handlers of /events. */
export const eventHandlers = {
  async list({ query, caller }, services) {
    const { organizationId } = caller
    await requireOwnNumber(services.db, organizationId, query.containerId)
    const after =
      query.after === undefined ? null : await resolvePosition(services, organizationId, query.after, 'list')
    const { limit, order } = query
    const filter = toEventFilter(query)
    const found = await readEvents(services.db, organizationId, { order, after, filter, limit: limit + 1 })
    if (order === 'oldest') requireReached(after ?? 0, found.lastPosition, 'list')
    const events = found.events.slice(0, limit)
    const isFull = found.events.length > limit
    // Otherwise the next call may start after everything that was scanned, including events that the filter left out.
    const end = (isFull ? events.at(-1)?.position : found.seenTo) ?? 0
    const next = order === 'oldest' ? Math.max(end, after ?? 0) : end
    return { events: events.map(toLoggedEvent), nextCursor: formatCursor(next), hasMore: isFull || found.hasMore }
  },

  async stream({ query, caller, lastEventId, signal }, services) {
    const { organizationId } = caller
    await requireOwnNumber(services.db, organizationId, query.containerId)
    const from = lastEventId ?? query.after
    const filter = toEventFilter(query)
    const resumed =
      from !== undefined
        ? await resolvePosition(services, organizationId, from, 'stream')
        : query.since === undefined
          ? null
          : (await findBounds(services.db, organizationId, filter))[0] - 1
    const subscription = await subscriptionsOf(services).open(caller)
    try {
      if (from !== undefined) requireReached(resumed ?? 0, subscription.position, 'stream')
    } catch (error) {
      await subscription.close()
      throw error
    }
    if (signal.aborted) await subscription.close()
    else signal.addEventListener('abort', () => void subscription.close(), { once: true })
    const after = Math.min(resumed ?? subscription.position, subscription.position)
    return follow(services.db, subscription, { organizationId, after, filter })
  },

  replay: ({ params, caller, idempotency }) =>
    idempotency.transact((trx) => requestReplay(trx, caller.organizationId, params.id)),
} satisfies Handlers<Contract['events']>
