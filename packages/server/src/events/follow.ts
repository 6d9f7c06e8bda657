import type { LoggedEvent } from '@msgctl/contract'
import type { Frame } from '#api/http/handler.ts'
import type { Db } from '#platform/db/db.ts'
import { formatCursor } from './cursor.ts'
import type { Feed } from './feed.ts'
import { type EventFilter, passes } from './filter.ts'
import { type LoggedRow, readEvents } from './log-store.ts'
import { toLoggedEvent } from './logged-event.ts'
import type { Subscription } from './subscriptions.ts'

const pageSize = 200

/** The events of one stream. */
export interface FollowOptions {
  readonly organizationId: string
  /** The stream begins after this position. */
  readonly after: number
  readonly filter: EventFilter
}

/**
 * Yields the frames of one stream: first the log after `after`, then the events of the feed, each once and in order,
 * and heartbeats. Ends with the feed and closes it. A reader that falls behind the feed is served from the log again.
 */
export async function* follow(
  db: Db,
  subscription: Subscription,
  options: FollowOptions,
): AsyncGenerator<Frame<LoggedEvent>> {
  try {
    yield* generateFrames(db, subscription.feed, options)
  } finally {
    await subscription.close()
  }
}

async function* generateFrames(db: Db, feed: Feed, options: FollowOptions): AsyncGenerator<Frame<LoggedEvent>> {
  const { organizationId, filter } = options
  let position = options.after
  // The first frame makes proxies forward the headers. A stream that is cut before the first event resumes from its id.
  yield { id: formatCursor(position), comment: 'following' }
  while (!feed.ended) {
    if (position < feed.startsAfter()) {
      const page = await readEvents(db, organizationId, { order: 'oldest', after: position, filter, limit: pageSize })
      for (const event of page.events) yield toFrame(event)
      const last = page.events.at(-1)
      position = last && page.events.length === pageSize ? last.position : page.seenTo
      continue
    }
    const { events, position: upTo } = feed.take()
    for (const event of events) {
      if (event.position > position && passes(filter, event)) yield toFrame(event)
    }
    position = Math.max(position, upTo)
    if (feed.takeBeat()) yield { id: formatCursor(position), comment: 'heartbeat' }
    await feed.changed()
  }
}

function toFrame(event: LoggedRow): Frame<LoggedEvent> {
  return { id: event.id, data: toLoggedEvent(event) }
}
