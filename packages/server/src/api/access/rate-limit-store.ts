import { sharedBatcher } from '#platform/concurrency/batcher.ts'
import { type Db, firstRow, preparedRows } from '#platform/db/db.ts'
import { lazily } from '#platform/db/lazily.ts'
import type { Policy } from './rate-limit.ts'

/** The outcome of counting one change: `tat` is the stored theoretical arrival time after it, in service time. */
export interface CountedChange {
  readonly passed: boolean
  readonly tat: Date
  readonly now: Date
}

/** One change of an organization under a policy. */
interface Change {
  readonly organizationId: string
  readonly policy: Policy
}

/**
 * Counts one change of the organization in its GCRA row, exact over all processes; a refused one changes nothing. The
 * changes of many organizations are counted together, those of one follow each other. Nothing waits for the disk.
 */
export function passChange(db: Db, organizationId: string, policy: Policy): Promise<CountedChange> {
  return countChange(db, { organizationId, policy })
}

const countChange = sharedBatcher(countChanges, { conflictKey: (change: Change) => change.organizationId })

async function countChanges(db: Db, changes: readonly Change[]): Promise<CountedChange[]> {
  const counted = await preparedRows<CountedChange & { organizationId: string }>(
    db,
    `with clock as (select service_now() as now from ${lazily}),
     -- The order of the rows is the same everywhere, so that two processes never wait for each other.
     requested as (
       select organization_id, step_ms * interval '1 ms' as step, window_ms * interval '1 ms' as whole, clock.now
         from clock, unnest(:organizationIds::uuid[], :stepsMs::float8[], :windowsMs::float8[])
           as a (organization_id, step_ms, window_ms)
        order by organization_id
     ),
     passed as (
       insert into change_limits as l (organization_id, tat)
       select organization_id, now + step from requested
       on conflict (organization_id) do update
          set tat = greatest(l.tat, (select now from clock)) + (excluded.tat - (select now from clock))
        where greatest(l.tat, (select now from clock)) + (excluded.tat - (select now from clock))
              <= (select now + whole from requested where requested.organization_id = l.organization_id)
       returning organization_id, tat
     )
     -- A refused change may have waited for one that this statement's snapshot does not see: nothing remains for it
     -- either.
     select requested.organization_id, passed.tat is not null as passed, requested.now,
            coalesce(passed.tat, greatest(l.tat,
              requested.now + requested.whole - requested.step + interval '1 ms')) as tat
       from requested left join passed using (organization_id) left join change_limits l using (organization_id)`,
    {
      organizationIds: changes.map(({ organizationId }) => organizationId),
      stepsMs: changes.map(({ policy }) => policy.windowMs / policy.perWindow),
      windowsMs: changes.map(({ policy }) => policy.windowMs),
    },
  )
  const byOrganization = new Map(counted.map((one) => [one.organizationId, one]))
  return changes.map(({ organizationId }) => {
    const one = byOrganization.get(organizationId)
    if (!one) throw new Error('counting a change answered no row')
    return one
  })
}

/** Returns the stored arrival time of an organization's change limit, in service time, without counting anything. */
export async function readChangeLimit(db: Db, organizationId: string): Promise<{ tat: Date; now: Date }> {
  const row = await firstRow<{ tat: Date; now: Date }>(
    db,
    `select c.now, coalesce(l.tat, c.now) as tat
       from (select service_now() as now) c left join change_limits l on l.organization_id = :organizationId`,
    { organizationId },
  )
  if (!row) throw new Error('reading the change limit returned no row')
  return row
}
