import type { InputTo } from '@msgctl/contract'
import { rows } from '#platform/db/db.ts'
import { eventually } from '#testing/eventually.ts'
import { type MadeOrganization, makeOrganization, makeToken } from '#testing/make.ts'
import { sim } from '#testing/sim.ts'
import type { TestClient, TestServer } from '#testing/start-server.ts'

/** Cards of the simulated provider. */
export const cards = {
  pays: '4242424242424242',
  declined: '4000000000000002',
  failsLater: '4000000000000341',
  asksOnce: '4000002500003155',
  asksAlways: '4000002760003184',
  disputed: '4000000000000259',
} as const

/** An organization on its free trial, with its owner signed in. */
export interface Buyer extends MadeOrganization {
  /** That of the owner's session. */
  readonly token: string
  readonly client: TestClient
}

/** What the simulated provider knows of an organization. */
export interface Known {
  readonly customers: readonly {
    id: string
    email: string
    name: string
    country: string | null
    credit: number
    last4: string | null
  }[]
  readonly checkouts: readonly { id: string; status: string }[]
  readonly subscriptions: readonly { id: string; status: string; period: string; items: unknown[] }[]
  readonly invoices: readonly { id: string; status: string; currency: string; total: number; paid: number }[]
  readonly charges: readonly { amount: number; currency: string; status: string }[]
  readonly events: readonly { id: string; type: string; deliveries: readonly { status: number }[] }[]
}

/** Makes an organization that may buy: on its trial, unless products are granted. */
export async function makeBuyer(
  server: TestServer,
  options: Parameters<typeof makeOrganization>[1] = { granted: false },
): Promise<Buyer> {
  const organization = await makeOrganization(server, options)
  const token = await makeToken(server, organization)
  return { ...organization, token, client: server.client({ token }) }
}

/**
 * Lets time pass. Mails stay as young as they were, because old ones are deleted. The people sign in again afterwards,
 * because an unused session ends after 12 h.
 */
export async function passTime(server: TestServer, seconds: number): Promise<void> {
  await rows(server.db, `update mails set created_at = created_at + :seconds::int * interval '1 s'`, { seconds })
  await server.advance(seconds)
  await rows(
    server.db,
    `update user_tokens set last_used_at = service_now(), expires_at = service_now() + interval '30 days'`,
  )
}

/** The last segment of the address of a page: what the simulated provider knows it by. */
export function pageId(url: string | null | undefined): string {
  return url?.split('/').at(-1) ?? ''
}

/** Pays at the page of a checkout. */
export async function payCheckout(
  server: TestServer,
  url: string,
  body: { card: string; country?: string; authenticate?: boolean } = { card: cards.pays },
): Promise<{ outcome: string; declineCode: string | null }> {
  return sim(server, `POST payments/checkouts/${pageId(url)}/pay`, body)
}

/** Pays at the page of an invoice. */
export async function payInvoice(
  server: TestServer,
  url: string | null | undefined,
  body: { card?: string; authenticate?: boolean } = {},
): Promise<{ outcome: string }> {
  return sim(server, `POST payments/invoices/${pageId(url)}/pay`, body)
}

/** Buys a plan and waits until the service knows it. */
export async function buy(
  server: TestServer,
  { client }: Pick<Buyer, 'client'>,
  plan: InputTo<'billing', 'checkout'> = { products: ['notify'] },
  card: string = cards.pays,
) {
  const { checkout } = await client.billing.checkout(plan)
  const { outcome } = await payCheckout(server, checkout.url, { card })
  if (outcome !== 'paid') throw new Error(`the checkout was ${outcome}`)
  return (await client.billing.refresh()).billing
}

/** Returns what the simulated provider knows of an organization. */
export async function known(server: TestServer, { organizationId }: Pick<Buyer, 'organizationId'>): Promise<Known> {
  return sim<Known>(server, `GET payments/organizations/${organizationId}`)
}

/** Lets calls or events of an organization fail. */
export async function fault(
  server: TestServer,
  { organizationId }: Pick<Buyer, 'organizationId'>,
  fault: { calls?: string; only?: string; times?: number; webhooks?: string },
): Promise<void> {
  await sim(server, 'PUT payments/faults', { organizationId, ...fault })
}

/** Ends the faults of an organization; events that were held are delivered. */
export async function healed(server: TestServer, { organizationId }: Pick<Buyer, 'organizationId'>): Promise<void> {
  await sim(server, `DELETE payments/faults?organizationId=${organizationId}`)
}

/** Returns the actions of the activity log about billing, oldest first. */
export async function billingLog(server: TestServer, { organizationId }: Pick<Buyer, 'organizationId'>) {
  const found = await rows<{ action: string; actorKind: string }>(
    server.db,
    `select action, actor_kind from activity_log
      where organization_id = :organizationId and action like 'billing.%' order by id`,
    { organizationId },
  )
  return found.map(({ action, actorKind }) => `${action.slice('billing.'.length)} by ${actorKind}`)
}

/** Returns the kinds of mails about payments that an organization got, oldest first. */
export async function billingMails(server: TestServer, { organizationId }: Pick<Buyer, 'organizationId'>) {
  const found = await rows<{ kind: string }>(
    server.db,
    `select kind from mails where organization_id = :organizationId and kind ~ 'payment|subscription|trial'
      order by created_at, id`,
    { organizationId },
  )
  return found.map(({ kind }) => kind)
}

/** What is under way, by kind. */
interface Due {
  readonly customers: number
  readonly events: number
  readonly accounts: number
  readonly unseen: number
  readonly operations: number
  readonly graces: number
}

/** How often the jobs run while a test waits for them. */
const jobsEveryMs = 300

/**
 * Waits until the simulated provider has played what is due, and the service has read all of it. The jobs run at once
 * instead of at their next time.
 */
export async function settledPayments({ db, services }: TestServer): Promise<void> {
  let signalledAt = Number.NEGATIVE_INFINITY
  await eventually(
    () => {
      if (performance.now() > signalledAt + jobsEveryMs) {
        signalledAt = performance.now()
        services.wake.signal('clock')
      }
      return rows<Due>(
        db,
        `select (select count(*) from sim_pay_customers where due_at <= service_now()) as customers,
                (select count(*) from sim_pay_events where due_at <= service_now() + interval '61 s') as events,
                (select count(*) from billing_accounts where due_at <= service_now() or lease_until is not null)
                  as accounts,
                (select count(*) from payment_events where seen_at is null) as unseen,
                (select count(*) from billing_operations
                  where state = 'started' and waits_until is null) as operations,
                (select count(*) from billing_accounts
                  where status = 'past_due' and grace_ends_at <= service_now()) as graces`,
      )
    },
    ([due]) => due !== undefined && Object.values(due).every((count) => Number(count) === 0),
  )
}
