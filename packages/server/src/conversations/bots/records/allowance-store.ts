import { type Db, rows } from '#platform/db/db.ts'
import { type Allowance, type AllowancePeriod, periodOf } from './allowance.ts'

/** Returns the period that a call counts in, with the allowance that the operator gave the organization, if any. */
export async function findPeriod(
  db: Db,
  now: Date,
  { organizationId, trial }: { readonly organizationId: string; readonly trial: boolean },
  allowance: Allowance,
): Promise<AllowancePeriod> {
  if (trial) return periodOf(now, trial, allowance)
  const found = await db('organizations').where({ id: organizationId }).first('aiAllowanceUsd')
  const usd = found?.aiAllowanceUsd ?? null
  return periodOf(now, trial, usd === null ? allowance : { microUsd: Math.round(usd * 1_000_000) })
}

/**
 * Reserves what a call may cost at most. Check and reservation are one statement, so that parallel calls cannot pass
 * the allowance together. Returns false, and reserves nothing, when it does not fit.
 */
export async function reserve(
  db: Db,
  organizationId: string,
  { period, limitMicroUsd }: AllowancePeriod,
  microUsd: number,
): Promise<boolean> {
  const reserved = await rows(
    db,
    `insert into ai_usage as u (organization_id, period, reserved_micro_usd)
     select :organizationId, :period, :microUsd where :microUsd::bigint <= :limitMicroUsd::bigint
     on conflict (organization_id, period) do update
       set reserved_micro_usd = u.reserved_micro_usd + excluded.reserved_micro_usd
      where u.used_micro_usd + u.reserved_micro_usd + excluded.reserved_micro_usd <= :limitMicroUsd::bigint
     returning 1 as reserved`,
    { organizationId, period, limitMicroUsd, microUsd },
  )
  return reserved.length > 0
}

/** Replaces the reservation of a call by what it cost. */
export async function settle(
  db: Db,
  organizationId: string,
  { period }: AllowancePeriod,
  call: { readonly reservedMicroUsd: number; readonly usedMicroUsd: number },
): Promise<void> {
  await rows(
    db,
    `update ai_usage set reserved_micro_usd = reserved_micro_usd - :reservedMicroUsd,
            used_micro_usd = used_micro_usd + :usedMicroUsd, calls = calls + 1
      where organization_id = :organizationId and period = :period`,
    { organizationId, period, ...call },
  )
}

/** Returns how much of a period is used or reserved, in millionths of a US dollar. */
export async function findUsed(db: Db, organizationId: string, { period }: AllowancePeriod): Promise<number> {
  const found = await db('ai_usage').where({ organizationId, period }).first('usedMicroUsd', 'reservedMicroUsd')
  return found ? Number(found.usedMicroUsd) + Number(found.reservedMicroUsd) : 0
}
