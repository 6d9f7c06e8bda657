import type { BillingStatus } from '@msgctl/contract'
import { type Db, rows } from '#platform/db/db.ts'

/** Figures about what all organizations pay. Amounts are in the smallest unit of their currency. */
export interface BillingFigures {
  readonly subscriptions: Readonly<Partial<Record<BillingStatus, number>>>
  /** Organizations whose trial runs and that have no product of another source. */
  readonly trials: number
  /** What subscriptions bring in a month, by currency; a year counts a twelfth. */
  readonly monthlyRecurring: readonly { readonly currency: string; readonly amount: number }[]
  readonly failedPayments30Days: number
  readonly disputesOpen: number
  /** Accounts about which the provider has news that were not read yet. */
  readonly eventsWaiting: number
  readonly operationsOpen: number
}

/** Returns the figures of the service. */
export async function readBillingFigures(db: Db): Promise<BillingFigures> {
  const [found] = await rows<BillingFigures>(
    db,
    `select coalesce((select jsonb_object_agg(status, accounts) from (
                select status, count(*) as accounts from billing_accounts group by status) s), '{}') as subscriptions,
            (select count(*) from organizations o join entitlements e on e.organization_id = o.id
              where o.trial_ends_at > (select service_now()) and o.deleted_at is null and e.trial
                and e.products <> '{}') as trials,
            coalesce((select jsonb_agg(jsonb_build_object('currency', currency, 'amount', amount) order by currency)
               from (select currency, round(sum(case when period = 'year' then amount / 12.0 else amount end))::int8
                            as amount
                       from billing_accounts where status in ('active', 'past_due') and amount > 0
                      group by currency) m), '[]') as monthly_recurring,
            (select count(*) from billing_invoices
              where failed_at > (select service_now()) - interval '30 days') as failed_payments30_days,
            (select count(*) from billing_invoices where disputed) as disputes_open,
            (select count(*) from billing_accounts where wanted > seen) as events_waiting,
            (select count(*) from billing_operations where state = 'started' and waits_until is null)
              as operations_open`,
  )
  if (!found) throw new Error('the figures of billing returned no row')
  return found
}

/** How long what should happen soon has waited. */
export interface BillingWaits {
  /** For how many seconds the oldest event has waited for its refresh. */
  readonly eventsWaitingSeconds: number
  /** For how many seconds the account with a subscription that was read longest ago has not been read. */
  readonly refreshAgeSeconds: number
}

/** Returns how long what should happen soon has waited. */
export async function readBillingWaits(db: Db): Promise<BillingWaits> {
  const since = (moment: string) =>
    `greatest(0, coalesce(extract(epoch from (select service_now()) - (${moment})), 0))::float8`
  const [found] = await rows<BillingWaits>(
    db,
    `select ${since('select min(received_at) from payment_events where seen_at is null')} as events_waiting_seconds,
            ${since(
              `select min(refreshed_at) from billing_accounts where status in ('active', 'past_due', 'unpaid')`,
            )} as refresh_age_seconds`,
  )
  if (!found) throw new Error('the statement returned no row')
  return found
}
