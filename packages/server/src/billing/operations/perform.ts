import { createHash } from 'node:crypto'
import * as z from 'zod'
import { findAccount } from '#billing/accounts/account-store.ts'
import type { Lease } from '#billing/accounts/lease.ts'
import { isUnavailable, type PaidServices } from '#billing/errors.ts'
import { type ItemChange, ProviderError } from '#billing/payments/provider.ts'
import { isOurs, isOver, type PaymentFailure } from '#billing/payments/provider-records.ts'
import { findParty, isOfTeam } from '#billing/refresh/party-store.ts'
import { crashPoint } from '#platform/crash-points.ts'
import type { Db } from '#platform/db/db.ts'
import { insertOperation, type Operation } from './operation-store.ts'

/** What became of an operation at the provider. */
export type Performed =
  | { readonly done: true; readonly invoiceId: string | null }
  | {
      readonly done: false
      readonly failure: PaymentFailure
      readonly declineCode: string | null
      readonly payUrl: string | null
      readonly expiresAt: Date | null
      /** Whether calls are left that wait for the payment. */
      readonly waits: boolean
    }

/** What a change calls, as it is stored. */
export interface ChangeRequest {
  readonly subscriptionId: string
  readonly period: 'month' | 'year'
  readonly currency: string
  readonly first: readonly ItemChange[]
  readonly rest: readonly ItemChange[]
}

/** What stopping calls, as it is stored. */
export interface StopRequest {
  readonly subscriptionId: string
  readonly when: 'period_end' | 'now' | 'never'
  /** The open invoice, which is voided. */
  readonly invoiceId: string | null
}

const itemChanges = z.array(z.custom<ItemChange>())
const changeRequest = z.object({
  subscriptionId: z.string(),
  period: z.enum(['month', 'year']),
  currency: z.string(),
  first: itemChanges,
  rest: itemChanges,
})
const stopRequest = z.object({
  subscriptionId: z.string(),
  when: z.enum(['period_end', 'now', 'never']),
  invoiceId: z.string().nullable(),
})

const done = { done: true, invoiceId: null } as const

/** Commits what is going to be called, so that it is completed when this process dies in between. */
export async function begin(db: Db, operation: Parameters<typeof insertOperation>[1]): Promise<void> {
  await insertOperation(db, operation)
  crashPoint('billing.operation-committed')
}

/**
 * Makes the calls of an operation that was committed, under the lease of its organization. Repeated it makes the same
 * calls with the same keys, which the provider carries out once.
 */
export async function perform(services: PaidServices, lease: Lease, operation: Operation): Promise<Performed> {
  switch (operation.kind) {
    case 'change':
      return performChange(lease, operation)
    case 'cancel':
    case 'resume':
      return performStop(lease, operation)
    case 'end':
      return performEnd(services, lease, operation)
    case 'customer':
      return performCustomer(services, lease, operation)
    case 'checkout':
      throw new Error('a checkout is not repeated')
  }
}

async function performChange(lease: Lease, { id, request }: Operation): Promise<Performed> {
  const { first, rest, ...target } = changeRequest.parse(request)
  let invoiceId: string | null = null
  if (first.length > 0) {
    const made = await lease.operate((provider) =>
      provider.change({ ...target, changes: first, ifPaid: true, key: `${id}:1` }),
    )
    const { failure, declineCode, payUrl, expiresAt } = made
    if (!made.done) {
      const waits = rest.length > 0
      return { done: false, failure: failure ?? 'card_declined', declineCode, payUrl, expiresAt, waits }
    }
    invoiceId = made.invoiceId
  }
  return performRest(lease, { id, request }, invoiceId)
}

/**
 * Makes a call after which an operation that has begun is complete. One that the provider refuses leaves what the next
 * reading shows; one that failed in any other way is made once more by the next settlement, and until then nothing is
 * known to be done or not.
 */
async function complete<T>(call: () => Promise<T>): Promise<T | null> {
  try {
    return await call()
  } catch (error) {
    if (error instanceof ProviderError && !isUnavailable(error)) return null
    throw new ProviderError(
      'change',
      { kind: 'unavailable', outcome: 'unknown', misconfigured: false },
      { cause: error },
    )
  }
}

/** Makes the calls of a change that wait for the payment of the first one. */
export async function performRest(
  lease: Lease,
  { id, request }: Pick<Operation, 'id' | 'request'>,
  invoiceId: string | null,
): Promise<Performed> {
  const { first, rest, ...target } = changeRequest.parse(request)
  if (rest.length === 0) return { done: true, invoiceId }
  const call = () =>
    lease.operate((provider) => provider.change({ ...target, changes: rest, ifPaid: false, key: `${id}:2` }))
  const made = await (first.length > 0 ? complete(call) : call())
  return { done: true, invoiceId: invoiceId ?? made?.invoiceId ?? null }
}

/** Returns the products and numbers that the first call of a change leads to. */
export function firstOf({ request }: Pick<Operation, 'request'>): readonly ItemChange[] {
  return changeRequest.parse(request).first
}

async function performStop(lease: Lease, { id, request }: Operation): Promise<Performed> {
  const { subscriptionId, when, invoiceId } = stopRequest.parse(request)
  await lease.operate((provider) => provider.stop(subscriptionId, when, { key: `${id}:1` }))
  if (invoiceId !== null) {
    await complete(() => lease.operate((provider) => provider.undoInvoice(invoiceId, { key: `${id}:2` })))
  }
  return done
}

/** Ends everything of an organization that was deleted. Invoices that were paid stay as they are. */
async function performEnd({ db }: PaidServices, lease: Lease, { id, organizationId }: Operation): Promise<Performed> {
  const customerId = (await findAccount(db, organizationId))?.customerId
  if (customerId == null) return done
  const before = await lease.call((provider) => provider.read(customerId))
  // A page that is open could be paid after everything else was read.
  for (const checkout of before?.checkouts.filter(({ status }) => status === 'open') ?? []) {
    await lease.call((provider) => provider.expireCheckout(checkout.id))
  }
  const state = await lease.call((provider) => provider.read(customerId))
  for (const subscription of state?.subscriptions.filter((one) => isOurs(one) && !isOver(one)) ?? []) {
    await lease.call((provider) => provider.stop(subscription.id, 'now', { key: `${id}:${subscription.id}` }))
    crashPoint('billing.end-called')
  }
  for (const invoice of state?.invoices.filter(({ status }) => status === 'open') ?? []) {
    await lease.call((provider) => provider.undoInvoice(invoice.id, { key: `${id}:${invoice.id}` }))
  }
  return done
}

/**
 * Writes the owner and the name of an organization into its record at the provider. An e-mail that no member has was
 * chosen on the page of the provider, and stays.
 */
async function performCustomer(
  { db }: PaidServices,
  lease: Lease,
  { id, organizationId }: Operation,
): Promise<Performed> {
  const customerId = (await findAccount(db, organizationId))?.customerId
  const party = await findParty(db, organizationId)
  if (customerId == null || !party?.ownerEmail) return done
  const present = (await lease.call((provider) => provider.read(customerId)))?.customer.email ?? null
  const isChosen = present !== null && !(await isOfTeam(db, organizationId, present))
  const { name } = party
  const email = isChosen ? present : party.ownerEmail
  // The key is a header, which not every name could stand in.
  const fields = createHash('sha256')
    .update(JSON.stringify([email, name]))
    .digest('hex')
    .slice(0, 32)
  await lease.call((provider) =>
    provider.saveCustomer({ key: `${id}:${fields}`, id: customerId, organizationId, email, name }),
  )
  return done
}
