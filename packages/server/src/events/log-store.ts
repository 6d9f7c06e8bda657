import type { EventKind } from '@msgctl/contract'
import { type Db, preparedRows, rows } from '#platform/db/db.ts'
import type { OuterJoined } from '#platform/db/tables.ts'
import { type EventFilter, indexedConditions } from './filter.ts'
import { findBounds, maxPosition } from './time-store.ts'

/** An event of the log, with its position in the organization's order. */
export interface LoggedRow {
  readonly position: number
  readonly id: string
  readonly event: EventKind
  readonly data: object
  readonly happenedAt: Date
}

const columns = 'position, id, event, data, created_at as happened_at'

/** The most events that one query scans: a search for a rare event reads a long log in pieces. */
const scanLimit = 50_000

/** The part of the log to read. */
export interface LogRange {
  readonly order: 'oldest' | 'newest'
  /** Begins after this position in the order; null: with the first event. */
  readonly after: number | null
  readonly filter: EventFilter
  readonly limit: number
}

/** A page of the log, in the requested order. */
interface EventPage {
  readonly events: LoggedRow[]
  /** If the page has fewer events than the limit: all events up to this position, in the order, were scanned. */
  readonly seenTo: number
  /** Whether there are more events to scan behind `seenTo`. */
  readonly hasMore: boolean
  /** The organization's last position at the same moment. */
  readonly lastPosition: number
}

/**
 * Returns up to `limit` events of the range in one snapshot. It scans at most a piece of a long log; continue after
 * `seenTo` to read more. Samples are left out.
 */
export async function readEvents(
  db: Db,
  organizationId: string,
  { order, after, filter, limit }: LogRange,
): Promise<EventPage> {
  const [low, high] = await findBounds(db, organizationId, filter)
  const direction = order === 'oldest' ? 'asc' : 'desc'
  const range = `events.organization_id = :organizationId and position >= :low and position < :high
    and position ${order === 'oldest' ? '>' : '<'} :after ${indexedConditions(filter)}`
  const found = await rows<OuterJoined<LoggedRow> & { lastPosition: number; pieceEnd: number | null }>(
    db,
    `select coalesce(last_position, 0) as last_position, piece."end" as piece_end, page.*
     from (select) as one
     left join event_positions on organization_id = :organizationId
     left join lateral (${pieceOf(filter, range, order)}) piece on true
     left join lateral (
       select ${columns} from events
       where ${range} and (piece."end" is null or position ${order === 'oldest' ? '<=' : '>='} piece."end")
         and not sample
         and (:kinds::text[] is null or event = any(:kinds::text[]))
         and (:since::timestamptz is null or created_at >= :since)
         and (:until::timestamptz is null or created_at < :until)
       order by position ${direction} limit :limit
     ) page on true
     order by position ${direction}`,
    {
      ...filter,
      organizationId,
      low,
      high,
      after: after ?? (order === 'oldest' ? 0 : maxPosition),
      limit,
      scanned: scanLimit,
    },
  )
  const { lastPosition, pieceEnd } = found[0] ?? { lastPosition: 0, pieceEnd: null }
  const events = found
    .filter((row) => row.id !== null)
    .map(({ lastPosition: _last, pieceEnd: _end, ...event }) => event)
  if (order === 'newest') {
    const seenTo = Math.max(pieceEnd ?? 0, 0)
    return { events, seenTo, hasMore: seenTo > Math.max(low, 1), lastPosition }
  }
  const seenTo = Math.min(lastPosition, pieceEnd ?? lastPosition)
  return { events, seenTo, hasMore: seenTo < Math.min(lastPosition, high - 1), lastPosition }
}

/**
 * SQL of the position at which a piece ends. Positions have hardly any gaps, so that the end of a piece of all events
 * is known from its first; a filter with an index is counted along that index.
 */
function pieceOf(filter: EventFilter, range: string, order: LogRange['order']): string {
  const first = `from events where ${range} order by position ${order === 'oldest' ? 'asc' : 'desc'}`
  if (indexedConditions(filter) !== '') return `select position as "end" ${first} offset :scanned - 1 limit 1`
  return `select position ${order === 'oldest' ? '+ :scanned - 1' : '- :scanned + 1'} as "end" ${first} limit 1`
}

/** Returns the position of an event; undefined if the log does not contain it. */
export async function findPosition(db: Db, organizationId: string, eventId: string): Promise<number | undefined> {
  const found = await db('events').where({ organizationId, id: eventId }).first('position')
  return found?.position
}

/** Returns the organization's last position; 0 before its first event. */
export async function findLastPosition(db: Db, organizationId: string): Promise<number> {
  const found = await db('event_positions').where({ organizationId }).first('lastPosition')
  return found?.lastPosition ?? 0
}

/**
 * Returns the events of many organizations after the position of each, at most `limit` for each, in order, without
 * samples.
 */
export async function readNewEvents(
  db: Db,
  readers: readonly { readonly organizationId: string; readonly position: number }[],
  limit: number,
): Promise<(LoggedRow & { readonly organizationId: string })[]> {
  return preparedRows(
    db,
    `select reader.organization_id, page.*
     from unnest(:organizationIds::uuid[], :positions::bigint[]) as reader (organization_id, after)
     cross join lateral (
       select ${columns} from events
       where events.organization_id = reader.organization_id and position > reader.after and not sample
       order by position limit :limit
     ) page
     order by position`,
    {
      organizationIds: readers.map(({ organizationId }) => organizationId),
      positions: readers.map(({ position }) => position),
      limit,
    },
  )
}

/** Deletes up to `limit` events older than `days`, with their deliveries. Returns how many. */
export async function deleteOldEvents(db: Db, days: number, limit: number): Promise<number> {
  const deleted = await rows(
    db,
    `delete from events where id = any(array(
       select id from events where created_at < (select service_now()) - :days * interval '1 day'
       order by created_at limit :limit))
     returning 1 as deleted`,
    { days, limit },
  )
  return deleted.length
}
