import type { EventKind } from '@msgctl/contract'
import { type Db, rows } from '../db/db.ts'

/** An event of the log, with its place in the organization's order. */
export interface LoggedRow {
  readonly position: number
  readonly id: string
  readonly event: EventKind
  readonly data: object
  readonly happenedAt: Date
}

const columns = 'position, id, event, data, created_at as "happenedAt"'

/** Events that one answer looks at, at most: of a kind that is rare, even a long log is read in pieces. */
const scanLimit = 50_000

/** Some events of the log in their order. */
interface EventPage {
  readonly events: LoggedRow[]
  /** When there are fewer than were asked for: every event up to this position was looked at. */
  readonly seenTo: number
  /** The organization's last position of the same moment. */
  readonly lastPosition: number
}

/**
 * Up to `limit` events behind the position `after`, of `kinds` only when given. Everything is of one moment. Of a long log
 * it looks at a piece; whoever wants more goes on behind `seenTo`.
 */
export async function readEvents(
  db: Db,
  organizationId: string,
  { after, kinds, limit }: { after: number; kinds: readonly EventKind[] | null; limit: number },
): Promise<EventPage> {
  const found = await rows<LoggedRow & { lastPosition: number; pieceEnd: number | null }>(
    db,
    `select coalesce(last_position, 0) as "lastPosition", piece."end" as "pieceEnd", page.*
     from (select) as one
     left join event_positions on organization_id = :organizationId
     left join lateral (
       select position + :lookedAt - 1 as "end" from events
       where events.organization_id = :organizationId and position > :after order by position limit 1
     ) piece on true
     left join lateral (
       select ${columns} from events
       where events.organization_id = :organizationId and position > :after and position <= piece."end" and not sample
         and (:kinds::text[] is null or event = any(:kinds::text[]))
       order by position limit :limit
     ) page on true
     order by position`,
    { organizationId, after, kinds, limit, lookedAt: scanLimit },
  )
  const { lastPosition, pieceEnd } = found[0] ?? { lastPosition: 0, pieceEnd: null }
  return {
    events: found.filter(({ id }) => id !== null).map(({ lastPosition: _last, pieceEnd: _end, ...event }) => event),
    seenTo: Math.min(lastPosition, pieceEnd ?? lastPosition),
    lastPosition,
  }
}

/** The position of an event; undefined when the log does not hold it. */
export async function findPosition(db: Db, organizationId: string, eventId: string): Promise<number | undefined> {
  const found = await rows<{ position: number }>(
    db,
    'select position from events where organization_id = :organizationId and id = :eventId',
    { organizationId, eventId },
  )
  return found[0]?.position
}

/** The organization's last position; 0 before its first event. */
export async function findLastPosition(db: Db, organizationId: string): Promise<number> {
  const found = await rows<{ lastPosition: number }>(
    db,
    'select last_position as "lastPosition" from event_positions where organization_id = :organizationId',
    { organizationId },
  )
  return found[0]?.lastPosition ?? 0
}

/** What happened in many organizations behind the position given for each, at most `limit` events of each, in order. */
export async function readNews(
  db: Db,
  places: readonly { readonly organizationId: string; readonly position: number }[],
  limit: number,
): Promise<(LoggedRow & { readonly organizationId: string })[]> {
  return rows(
    db,
    `select place.organization_id as "organizationId", page.*
     from unnest(:organizationIds::uuid[], :positions::bigint[]) as place (organization_id, after)
     cross join lateral (
       select ${columns} from events
       where events.organization_id = place.organization_id and position > place.after and not sample
       order by position limit :limit
     ) page
     order by position`,
    {
      organizationIds: places.map(({ organizationId }) => organizationId),
      positions: places.map(({ position }) => position),
      limit,
    },
  )
}

/** Deletes up to `limit` events, with their deliveries, that are older than `days`; answers how many. */
export async function deleteOldEvents(db: Db, days: number, limit: number): Promise<number> {
  const gone = await rows(
    db,
    `delete from events where id = any(array(
       select id from events where created_at < (select service_now()) - :days * interval '1 day'
       order by created_at limit :limit))
     returning 1 as gone`,
    { days, limit },
  )
  return gone.length
}
