import { anyRow } from '#platform/db/any-row.ts'
import { type Db, firstRow, rows } from '#platform/db/db.ts'
import { notMoving } from '#platform/db/moving.ts'
import { afterCommit } from '#platform/db/wake.ts'
import type { Entitled } from './entitle.ts'
import type { Account, StoredCheckout } from './stored.ts'

const columns = `
  organization_id, customer_id, currency, subscription_id, status, period, items, amount, credit,
  current_period_start, current_period_end, cancel_at_period_end, ends_at, past_due_since, grace_ends_at, pending,
  open_invoice, card, checkout, wanted, seen, due_at, refreshed_at, lease_until, lease_token, livemode,
  created_at <= (select service_now()) - interval '23 hours' as is_old`

/** Returns the account of an organization; undefined for one that never wanted to pay. */
export async function findAccount(db: Db, organizationId: string): Promise<Account | undefined> {
  return firstRow<Account>(db, `select ${columns} from billing_accounts where organization_id = :organizationId`, {
    organizationId,
  })
}

/** Returns the same, locked until the transaction ends. Lock the organization first. */
export async function lockAccount(trx: Db, organizationId: string): Promise<Account | undefined> {
  return firstRow<Account>(
    trx,
    `select ${columns} from billing_accounts where organization_id = :organizationId for no key update`,
    { organizationId },
  )
}

/** Makes the account of an organization that has none. */
export async function insertAccount(
  db: Db,
  account: { organizationId: string; currency: string; livemode: boolean },
): Promise<void> {
  await rows(
    db,
    `insert into billing_accounts (organization_id, currency, livemode, created_at)
     values (:organizationId, :currency, :livemode, service_now()) on conflict (organization_id) do nothing`,
    account,
  )
}

/** Writes which record of the provider is the organization's, and whether it is one of real money. */
export async function writeCustomer(
  db: Db,
  organizationId: string,
  customer: { readonly customerId: string; readonly livemode: boolean },
): Promise<void> {
  await db('billing_accounts').where({ organizationId }).update(customer)
}

/** Writes that the record of an organization at the provider is gone. */
export async function dropCustomer(db: Db, organizationId: string): Promise<void> {
  await db('billing_accounts').where({ organizationId }).update({ customerId: null })
}

/** What a refresh writes beside what the provider says. */
interface Refreshed {
  readonly currency: string
  readonly checkout: StoredCheckout | null
  readonly seen: number
  /** In how many seconds the provider is read again, unless a refresh is wanted before; null: not at all. */
  readonly dueInSeconds: number | null
}

/** Writes what the provider says. */
export async function writeRefreshed(
  trx: Db,
  organizationId: string,
  found: Entitled,
  { currency, checkout, seen, dueInSeconds }: Refreshed,
): Promise<void> {
  const json = (value: unknown) => (value === null ? null : JSON.stringify(value))
  await rows(
    trx,
    `update billing_accounts set
            currency = :currency, subscription_id = :subscriptionId, status = :status, period = :period,
            items = :items::jsonb, amount = :amount, credit = :credit, current_period_start = :currentPeriodStart,
            current_period_end = :currentPeriodEnd, cancel_at_period_end = :cancelAtPeriodEnd, ends_at = :endsAt,
            past_due_since = :pastDueSince, grace_ends_at = :graceEndsAt, pending = :pending::jsonb,
            open_invoice = :openInvoice::jsonb, card = :card::jsonb, checkout = :checkout::jsonb,
            seen = :seen, refreshed_at = (select service_now()),
            due_at = case when wanted > :seen::int8 then (select service_now())
                          else (select service_now()) + :dueInSeconds::int * interval '1 second' end
      where organization_id = :organizationId`,
    {
      organizationId,
      currency,
      subscriptionId: found.subscriptionId,
      status: found.status,
      period: found.period,
      items: JSON.stringify(found.items),
      amount: found.amount,
      credit: found.credit,
      currentPeriodStart: found.currentPeriodStart,
      currentPeriodEnd: found.currentPeriodEnd,
      cancelAtPeriodEnd: found.cancelAtPeriodEnd,
      endsAt: found.endsAt,
      pastDueSince: found.pastDueSince,
      graceEndsAt: found.graceEndsAt,
      pending: json(found.pending),
      openInvoice: json(found.openInvoice),
      card: json(found.card),
      checkout: json(checkout),
      seen,
      dueInSeconds,
    },
  )
}

/** Writes the open checkout of an organization, and that the provider is read again soon. */
export async function writeCheckout(
  trx: Db,
  organizationId: string,
  checkout: StoredCheckout | null,
  dueInSeconds: number,
): Promise<void> {
  await rows(
    trx,
    `update billing_accounts set checkout = :checkout::jsonb,
            due_at = least(due_at, (select service_now()) + :dueInSeconds::int * interval '1 second')
      where organization_id = :organizationId`,
    { organizationId, checkout: checkout && JSON.stringify(checkout), dueInSeconds },
  )
}

/** Wants a refresh of the account with this customer. Returns its organization; undefined for another service's. */
export async function wantRefresh(trx: Db, customerId: string): Promise<string | undefined> {
  const [found] = await rows<{ organizationId: string }>(
    trx,
    `update billing_accounts set wanted = wanted + 1, due_at = (select service_now())
      where customer_id = :customerId returning organization_id`,
    { customerId },
  )
  if (found) afterCommit(trx, 'billing')
  return found?.organizationId
}

/** Wants a refresh of every account with a customer. Returns how many there are. */
export async function wantAllRefreshes(trx: Db): Promise<number> {
  const wanted = await rows(
    trx,
    `update billing_accounts set wanted = wanted + 1, due_at = (select service_now()), lease_until = null,
            lease_token = null
      where customer_id is not null returning organization_id`,
  )
  return wanted.length
}

const isDue = `due_at <= (select service_now()) and (lease_until is null or lease_until <= (select service_now()))
           and ${notMoving('organization_id')}`
/** SQL condition: whether there are accounts to refresh. */
export const hasDueAccounts = anyRow(`billing_accounts where ${isDue} order by due_at`)

/** Returns accounts to refresh, of all organizations, those that wait longest first. */
export async function listDueAccounts(db: Db, limit: number): Promise<{ readonly organizationId: string }[]> {
  return rows(db, `select organization_id from billing_accounts where ${isDue} order by due_at limit :limit`, { limit })
}

/** Puts a refresh off that is due and did not succeed. One that has become due later by another refresh stays. */
export async function deferRefresh(db: Db, organizationId: string, seconds: number): Promise<void> {
  await rows(
    db,
    `update billing_accounts set due_at = (select service_now()) + :seconds::int * interval '1 second'
      where organization_id = :organizationId and due_at <= (select service_now())`,
    { organizationId, seconds },
  )
}

/** SQL condition: whether the days of grace of an account are over. */
export const hasOverdueAccounts = anyRow(
  `billing_accounts where status = 'past_due' and grace_ends_at <= (select service_now()) order by grace_ends_at`,
)

/** Returns the accounts whose days of grace are over, of all organizations. */
export async function listOverdueAccounts(db: Db, limit: number): Promise<{ readonly organizationId: string }[]> {
  return rows(
    db,
    `select organization_id from billing_accounts
      where status = 'past_due' and grace_ends_at <= (select service_now()) and ${notMoving('organization_id')}
      order by grace_ends_at limit :limit`,
    { limit },
  )
}

/** Writes that the days of grace are over. Returns false when they are not any more. */
export async function writeUnpaid(trx: Db, organizationId: string): Promise<boolean> {
  const written = await rows(
    trx,
    `update billing_accounts set status = 'unpaid'
      where organization_id = :organizationId and status = 'past_due' and grace_ends_at <= (select service_now())
     returning organization_id`,
    { organizationId },
  )
  return written.length > 0
}
