import { type Db, firstRow, rows } from '#platform/db/db.ts'

/** The budget of one number: steps are milliseconds for each check, `keep` the checks reserved for sends. */
export interface CheckBudget {
  readonly organizationId: string
  readonly containerId: string
  readonly simulated: BudgetSteps
  readonly real: BudgetSteps
}

/** What a check costs on one kind of network. */
export interface BudgetSteps {
  readonly stepMs: number
  readonly dayStepMs: number
  readonly keep: number
}

/** The checks that were granted, and how much of the minute and the day is used after that, in milliseconds. */
export interface TakenChecks {
  readonly granted: number
  readonly usedMs: number
  readonly dayUsedMs: number
  readonly isSimulated: boolean
}

/**
 * Takes up to `wanted` checks from the budget that all processes share; undefined while the number has no row. A
 * hundredth of a check is tolerated, because stored times are whole microseconds.
 */
export async function takeFromBudget(db: Db, budget: CheckBudget, wanted: number): Promise<TakenChecks | undefined> {
  const { simulated, real } = budget
  return firstRow<TakenChecks>(
    db,
    `with clock as (select service_now() as now),
     number as (
       select n.gateway = 'simulator' as is_simulated,
              case when n.gateway = 'simulator' then :simulatedStepMs::float8 else :realStepMs::float8 end as step_ms,
              case when n.gateway = 'simulator' then :simulatedDayStepMs::float8
                else :realDayStepMs::float8 end as day_step_ms,
              case when n.gateway = 'simulator' then :simulatedKeep::int else :realKeep::int end as keep
         from numbers n where n.id = :containerId and n.organization_id = :organizationId
     ), locked as (
       select b.container_id, greatest(tat, now) as tat, greatest(day_tat, now) as day_tat,
              extract(epoch from greatest(tat, now) - now) * 1000 as used_ms,
              extract(epoch from greatest(day_tat, now) - now) * 1000 as day_used_ms, number.*
         from recipient_check_budgets b, number, clock
        where b.container_id = :containerId and b.organization_id = :organizationId
          for update of b
     ), granted as (
       select locked.*, greatest(0, least(:wanted::int,
                floor((:windowMs - used_ms) / step_ms - keep + 0.01),
                floor((:dayMs - day_used_ms) / day_step_ms + 0.01)))::int as granted
         from locked
     )
     update recipient_check_budgets b
        set tat = g.tat + g.granted * g.step_ms * interval '1 ms',
            day_tat = g.day_tat + g.granted * g.day_step_ms * interval '1 ms'
       from granted g where b.container_id = g.container_id
     returning g.granted, (g.used_ms + g.granted * g.step_ms)::float8 as used_ms,
               (g.day_used_ms + g.granted * g.day_step_ms)::float8 as day_used_ms, g.is_simulated`,
    {
      containerId: budget.containerId,
      organizationId: budget.organizationId,
      wanted,
      windowMs,
      dayMs,
      simulatedStepMs: simulated.stepMs,
      simulatedDayStepMs: simulated.dayStepMs,
      simulatedKeep: simulated.keep,
      realStepMs: real.stepMs,
      realDayStepMs: real.dayStepMs,
      realKeep: real.keep,
    },
  )
}

/** Creates a full budget for a number without one. Does nothing when the number was removed. */
export async function openBudget(db: Db, { organizationId, containerId }: CheckBudget): Promise<void> {
  await rows(
    db,
    `insert into recipient_check_budgets (container_id, organization_id, tat, day_tat)
     select id, organization_id, '-infinity', '-infinity' from numbers
      where id = :containerId and organization_id = :organizationId for key share
     on conflict (container_id) do nothing`,
    { organizationId, containerId },
  )
}

/** The spans over which a budget is counted. */
export const windowMs = 60_000
export const dayMs = 86_400_000
