import type { Contract } from '@msgctl/contract'
import { invalidField } from '../errors.ts'
import type { Handlers } from '../http/handler.ts'
import type { Services } from '../services.ts'
import { formatCursor, parseCursor } from './cursor.ts'
import { follow } from './follow.ts'
import { findPosition, readEvents } from './log-store.ts'
import { toLoggedEvent } from './logged-event.ts'
import { requestReplay } from './replay.ts'
import { subscriptionsOf } from './subscriptions.ts'

/** The position that `after` names. Throws VALIDATION_ERROR when it names none of this organization's log. */
async function resolvePosition({ db }: Services, organizationId: string, after: string): Promise<number> {
  const place = parseCursor(after)
  if ('position' in place) return place.position
  const position = await findPosition(db, organizationId, place.eventId)
  if (position === undefined) throw invalidField('after', 'names no event of the last 30 days; leave it out')
  return position
}

/**
 * Refuses a cursor from beyond the end of the log, as of another service or a database that was restored: its reader would
 * see nothing of what happens until the log has caught up. Throws VALIDATION_ERROR for `after`.
 */
function requireReached(after: number, lastPosition: number): void {
  if (after > lastPosition) throw invalidField('after', 'lies behind the end of the log; leave it out')
}

/** The handlers of /events. */
export const eventHandlers = {
  async list({ query, caller }, services) {
    const { organizationId } = caller
    const after = query.after === undefined ? 0 : await resolvePosition(services, organizationId, query.after)
    const { limit, types: kinds = null } = query
    const found = await readEvents(services.db, organizationId, { after, kinds, limit: limit + 1 })
    requireReached(after, found.lastPosition)
    const events = found.events.slice(0, limit)
    const isFull = found.events.length > limit
    // Otherwise the next call may begin behind all that was looked at, events of other kinds too.
    const end = isFull ? events.at(-1)?.position : found.seenTo
    const hasMore = isFull || found.seenTo < found.lastPosition
    return { events: events.map(toLoggedEvent), nextCursor: formatCursor(Math.max(end ?? 0, after)), hasMore }
  },

  async stream({ query, caller, lastEventId, signal }, services) {
    const { organizationId } = caller
    const from = lastEventId ?? query.after
    const resumed = from === undefined ? null : await resolvePosition(services, organizationId, from)
    const tail = await subscriptionsOf(services).open(caller)
    try {
      requireReached(resumed ?? 0, tail.position)
    } catch (error) {
      await tail.close()
      throw error
    }
    if (signal.aborted) await tail.close()
    else signal.addEventListener('abort', () => void tail.close(), { once: true })
    return follow(services.db, tail, { organizationId, after: resumed ?? tail.position, kinds: query.types ?? null })
  },

  async replay({ params, caller, idempotency }, services) {
    const answer = await idempotency.transact((trx) => requestReplay(trx, caller.organizationId, params.id))
    services.wake.signal('deliveries')
    return answer
  },
} satisfies Handlers<Contract['events']>
