import { type Db, rows } from '#platform/db/db.ts'
import type { EventFilter } from './filter.ts'

/** After every position. */
export const maxPosition = 2 ** 52

/**
 * Positions are given in the order of commits, and times at the beginning of statements. An event can wait for its
 * position, so times are in the order of positions up to this difference.
 */
const toleranceMs = 60_000

/** Returns a range of positions, the end excluded, with every event of the filter's span of time. */
export async function findBounds(
  db: Db,
  organizationId: string,
  { since, until }: Pick<EventFilter, 'since' | 'until'>,
): Promise<[low: number, high: number]> {
  const low = since === null ? 0 : await findFirstSince(db, organizationId, shifted(since, -toleranceMs))
  const high = until === null ? maxPosition : await findFirstSince(db, organizationId, shifted(until, toleranceMs))
  return [low, high]
}

function shifted(instant: string, byMs: number): string {
  return new Date(new Date(instant).getTime() + byMs).toISOString()
}

/**
 * Returns the position of the first event at or after `instant`, or the one after the last event. Halves the log at
 * each step: with a million events that takes 20 probes of the index of positions, and no index of times has to be
 * written.
 */
async function findFirstSince(db: Db, organizationId: string, instant: string): Promise<number> {
  const [found] = await rows<{ position: number }>(
    db,
    `with recursive halved (low, high) as (
       select coalesce(min(position), 1), coalesce(max(position), 0) + 1 from events
        where organization_id = :organizationId
       union all
       select case when probe.earlier then probe.position + 1 else low end,
              case when probe.earlier then high else (low + high) / 2 end
         from halved left join lateral (
           select position, created_at < :instant::timestamptz as earlier from events
            where organization_id = :organizationId and position >= (low + high) / 2 and position < high
            order by position limit 1
         ) probe on true
        where low < high
     )
     select low as position from halved where low >= high`,
    { organizationId, instant },
  )
  return found?.position ?? 0
}
