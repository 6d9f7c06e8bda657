import * as z from 'zod'
import { findAccount } from '#billing/accounts/account-store.ts'
import type { Lease } from '#billing/accounts/lease.ts'
import type { PaidServices } from '#billing/errors.ts'
import type { ItemChange } from '#billing/payments/provider.ts'
import type { PaymentFailure } from '#billing/payments/provider-records.ts'
import { findParty } from '#billing/refresh/party-store.ts'
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

/** Makes the calls of a change that wait for the payment of the first one. */
export async function performRest(
  lease: Lease,
  { id, request }: Pick<Operation, 'id' | 'request'>,
  invoiceId: string | null,
): Promise<Performed> {
  const { first: _first, rest, ...target } = changeRequest.parse(request)
  if (rest.length === 0) return { done: true, invoiceId }
  const made = await lease.operate((provider) =>
    provider.change({ ...target, changes: rest, ifPaid: false, key: `${id}:2` }),
  )
  return { done: true, invoiceId: invoiceId ?? made.invoiceId }
}

/** Returns the products and numbers that the first call of a change leads to. */
export function firstOf({ request }: Pick<Operation, 'request'>): readonly ItemChange[] {
  return changeRequest.parse(request).first
}

async function performStop(lease: Lease, { id, request }: Operation): Promise<Performed> {
  const { subscriptionId, when, invoiceId } = stopRequest.parse(request)
  await lease.operate((provider) => provider.stop(subscriptionId, when, { key: `${id}:1` }))
  if (invoiceId !== null) await lease.operate((provider) => provider.undoInvoice(invoiceId, { key: `${id}:2` }))
  return done
}

/** Ends everything of an organization that was deleted. Invoices that were paid stay as they are. */
async function performEnd({ db }: PaidServices, lease: Lease, { id, organizationId }: Operation): Promise<Performed> {
  const customerId = (await findAccount(db, organizationId))?.customerId
  const state = customerId == null ? null : await lease.call((provider) => provider.read(customerId))
  for (const subscription of state?.subscriptions ?? []) {
    if (subscription.endedAt !== null || subscription.status === 'incomplete_expired') continue
    await lease.call((provider) => provider.stop(subscription.id, 'now', { key: `${id}:${subscription.id}` }))
    crashPoint('billing.end-called')
  }
  for (const invoice of state?.invoices.filter(({ status }) => status === 'open') ?? []) {
    await lease.call((provider) => provider.undoInvoice(invoice.id, { key: `${id}:${invoice.id}` }))
  }
  for (const checkout of state?.checkouts.filter(({ status }) => status === 'open') ?? []) {
    await lease.call((provider) => provider.expireCheckout(checkout.id))
  }
  return done
}

/** Writes the owner and the name of an organization into its record at the provider. */
async function performCustomer(
  { db }: PaidServices,
  lease: Lease,
  { id, organizationId }: Operation,
): Promise<Performed> {
  const customerId = (await findAccount(db, organizationId))?.customerId
  const party = await findParty(db, organizationId)
  if (customerId == null || !party?.ownerEmail) return done
  const { name, ownerEmail: email } = party
  await lease.call((provider) =>
    provider.saveCustomer({ key: `${id}:${email}:${name}`.slice(0, 255), id: customerId, organizationId, email, name }),
  )
  return done
}
