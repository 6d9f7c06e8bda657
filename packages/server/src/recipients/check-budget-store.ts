import { type Db, rows } from '../db/db.ts'

/** The budget of one number: `perMinute` checks, of which `keep` are reserved for sends. */
export interface CheckBudget {
  readonly organizationId: string
  readonly containerId: string
  readonly perMinute: number
  readonly keep: number
}

/** The checks that were granted, and how much of the minute is used after that, in milliseconds of service time. */
export interface TakenChecks {
  readonly granted: number
  readonly usedMs: number
}

/**
 * Takes up to `wanted` checks from the budget that all processes share; undefined while the number has no row. A hundredth
 * of a check is tolerated, because stored times are whole microseconds.
 */
export async function takeFromBudget(db: Db, budget: CheckBudget, wanted: number): Promise<TakenChecks | undefined> {
  const [taken] = await rows<TakenChecks>(
    db,
    `with clock as (select service_now() as now),
     locked as (
       select container_id, greatest(tat, now) as tat, extract(epoch from greatest(tat, now) - now) * 1000 as used_ms
         from recipient_check_budgets, clock
        where container_id = :containerId and organization_id = :organizationId
          for update of recipient_check_budgets
     ), granted as (
       select container_id, tat, used_ms,
              greatest(0, least(:wanted::int,
                floor((:windowMs - used_ms) / :stepMs::float8 - :keep + 0.01)))::int as granted
         from locked
     )
     update recipient_check_budgets b set tat = granted.tat + granted.granted * :stepMs::float8 * interval '1 ms'
       from granted where b.container_id = granted.container_id
     returning granted.granted, (granted.used_ms + granted.granted * :stepMs::float8)::float8 as "usedMs"`,
    {
      containerId: budget.containerId,
      organizationId: budget.organizationId,
      keep: budget.keep,
      wanted,
      windowMs,
      stepMs: windowMs / budget.perMinute,
    },
  )
  return taken
}

/** Creates a full budget for a number without one. Does nothing when the number was removed. */
export async function openBudget(db: Db, { organizationId, containerId }: CheckBudget): Promise<void> {
  await rows(
    db,
    `insert into recipient_check_budgets (container_id, organization_id, tat)
     select id, organization_id, '-infinity' from numbers
      where id = :containerId and organization_id = :organizationId for key share
     on conflict (container_id) do nothing`,
    { organizationId, containerId },
  )
}

/** The span over which a budget is counted. */
export const windowMs = 60_000
