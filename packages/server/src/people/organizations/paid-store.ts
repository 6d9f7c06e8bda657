import type { Product } from '@msgctl/contract'
import { type Db, rows } from '#platform/db/db.ts'

/** What a subscription pays for. */
export interface PaidPlan {
  readonly products: readonly Product[]
  readonly extraNumbers: number
  /** When the payment ends; null while it renews. */
  readonly until: Date | null
}

/**
 * Writes what a subscription pays for: these products until then, and no others from now on. What the operator granted
 * and what is on trial stays as it is.
 */
export async function writePaid(
  trx: Db,
  organizationId: string,
  { products, extraNumbers, until }: PaidPlan,
): Promise<void> {
  await rows(
    trx,
    `update organization_products set paid_until = (select service_now())
      where organization_id = :organizationId and paid_at is not null and product <> all(:products::text[])
        and (paid_until is null or paid_until > (select service_now()))`,
    { organizationId, products },
  )
  // A product that it never had is not on trial when the payment ends.
  await rows(
    trx,
    `insert into organization_products as held (organization_id, product, paid_at, paid_until, paused_at)
     select :organizationId, product, now, :until, now
       from unnest(:products::text[]) as product, (select service_now() as now) t
     on conflict (organization_id, product) do update
       set paid_at = case when held.paid_at is null or held.paid_until <= (select service_now()) then excluded.paid_at
                          else held.paid_at end,
           paid_until = excluded.paid_until`,
    { organizationId, products, until },
  )
  await trx('organizations').where({ id: organizationId }).update({ paidExtraNumbers: extraNumbers })
}

/** Fixes the country of an organization at its first payment: the one that it named, else that of its address. */
export async function lockCountry(trx: Db, organizationId: string, ofAddress: string | null): Promise<void> {
  await rows(
    trx,
    `update organizations set country = coalesce(country, :ofAddress), country_locked_at = (select service_now())
      where id = :organizationId and country_locked_at is null and coalesce(country, :ofAddress) is not null`,
    { organizationId, ofAddress },
  )
}

/** Writes which mail about the end of its trial an organization gets. Returns false when it got it before. */
export async function writeTrialMail(trx: Db, organizationId: string, mail: 'ending' | 'ended'): Promise<boolean> {
  const written = await rows(
    trx,
    `update organizations set trial_mail = :mail where id = :organizationId and trial_mail is distinct from :mail
     returning id`,
    { organizationId, mail },
  )
  return written.length > 0
}
