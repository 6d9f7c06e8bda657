import { entitle } from '#billing/accounts/entitle.ts'
import type { Account } from '#billing/accounts/stored.ts'
import { outline } from '#billing/refresh/difference.ts'
import { rows } from '#platform/db/db.ts'
import type { TestServer } from '#testing/start-server.ts'
import { type Buyer, billingMails, known } from './buyer.ts'

/** What a service holds about a payer. */
interface Held {
  readonly account: Account | null
  readonly paidProducts: string[]
  readonly openOperations: number
  readonly invoicesPaid: number
  readonly unmailed: number
}

async function heldBy(server: TestServer, organizationId: string): Promise<Held> {
  const [found] = await rows<Held>(
    server.db,
    `select (select paid_products from entitlements where organization_id = :organizationId) as paid_products,
            (select count(*) from billing_operations
              where organization_id = :organizationId and state = 'started' and waits_until is null) as open_operations,
            (select count(*) from billing_invoices
              where organization_id = :organizationId and status = 'paid') as invoices_paid,
            (select count(*) from billing_invoices
              where organization_id = :organizationId and status = 'paid' and receipt_mailed_at is null) as unmailed`,
    { organizationId },
  )
  const [account] = await rows<Account>(
    server.db,
    'select * from billing_accounts where organization_id = :organizationId',
    { organizationId },
  )
  if (!found) throw new Error('nothing is held')
  return { ...found, account: account ?? null }
}

/**
 * Returns what is wrong about a payer while all is quiet: what works follows from what the provider says, money was
 * taken once for each invoice, and each was mailed once.
 */
export async function faultsOf(server: TestServer, { organizationId }: Buyer): Promise<string[]> {
  const { payments, clock } = server.services
  const { account, ...held } = await heldBy(server, organizationId)
  if (!payments || !account) return []
  const theirs = await known(server, { organizationId })
  const state = account.customerId === null ? null : await payments.provider.read(account.customerId)
  const wanted = entitle(state, payments.graceDays, clock.now())
  const live = theirs.subscriptions.filter(({ status }) => !/canceled|incomplete_expired/.test(status))
  const charged = theirs.charges.filter(({ status }) => status === 'succeeded').map(({ amount }) => amount)
  const paid = theirs.invoices.filter(({ status, paid: amount }) => status === 'paid' && amount > 0)
  const receipts = (await billingMails(server, { organizationId })).filter((kind) => kind === 'payment_receipt')
  const compare = (what: string, is: unknown, expected: unknown) =>
    JSON.stringify(is) === JSON.stringify(expected)
      ? []
      : [`${what} is ${JSON.stringify(is)} instead of ${JSON.stringify(expected)}`]
  return [
    ...compare('the state', outline(account), outline(wanted)),
    ...compare('what works', [...held.paidProducts].sort(), [...wanted.paid.products].sort()),
    ...compare('the change that waits', account.pending?.products ?? null, wanted.pending?.products ?? null),
    ...compare('the number of customers', Math.max(1, theirs.customers.length), 1),
    ...compare('the number of further subscriptions', Math.max(0, live.length - 1), 0),
    ...compare('what was charged', [...charged].sort(), paid.map(({ paid: amount }) => amount).sort()),
    ...compare('the number of receipts', receipts.length, held.invoicesPaid),
    ...compare('the number of payments without a receipt', held.unmailed, 0),
    ...compare('the number of open operations', held.openOperations, 0),
    // The lease of a process that died ends by itself.
    ...compare('whether a lease runs', account.leaseUntil !== null && account.leaseUntil > clock.now(), false),
  ]
}
