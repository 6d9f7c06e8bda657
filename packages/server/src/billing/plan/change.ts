import type { BillingPeriod, Product } from '@msgctl/contract'
import { type Actor, toActor } from '#api/activity/log.ts'
import type { Caller } from '#api/http/handler.ts'
import { findAccount } from '#billing/accounts/account-store.ts'
import { type Lease, withLease } from '#billing/accounts/lease.ts'
import { type Account, liveStatuses, planOf } from '#billing/accounts/stored.ts'
import { calling } from '#billing/calling.ts'
import { changeRefused, declineOf, isCertainlyNotDone, noSubscription, type PaidServices } from '#billing/errors.ts'
import { finishOperation, listOpenOperations, writeWaiting } from '#billing/operations/operation-store.ts'
import { begin, type ChangeRequest, type Performed, perform } from '#billing/operations/perform.ts'
import { settle } from '#billing/operations/settle.ts'
import { ProviderError } from '#billing/payments/provider.ts'
import { findParty, type Party } from '#billing/refresh/party-store.ts'
import { refresh } from '#billing/refresh/refresh.ts'
import { newId } from '#platform/db/new-id.ts'
import { apiError } from '#platform/errors.ts'
import { hasCapped, requireOffered, toLines, type Wanted } from './rules.ts'
import { type Steps, stepsTo } from './steps.ts'

/** What a caller wants to change; what is left out stays. */
export interface Wish {
  readonly products?: readonly Product[]
  readonly extraNumbers?: number
  readonly period?: BillingPeriod
}

/** What changed, and the provider's id of the invoice that charged it. */
export interface Changed {
  readonly invoiceId: string | null
}

/**
 * Changes the plan of the caller's organization at once. More is charged at once, and nothing changes unless it is
 * paid. A change that is made already changes nothing.
 */
export async function changePlan(services: PaidServices, caller: Caller, wish: Wish): Promise<Changed> {
  const { organizationId } = caller
  if (!(await findAccount(services.db, organizationId))?.customerId) throw noSubscription()
  return calling(() =>
    withLease(services, organizationId, async (lease) => {
      const fresh = await settle(services, lease, { expected: true })
      const party = await findParty(services.db, organizationId)
      if (!fresh || !party || party.isDeleted) throw noSubscription()
      const { account } = fresh
      const steps = decide(services, { account, party, wish })
      if (steps === null) return { invoiceId: null }
      return carryOut(services, lease, { account, steps, wish, actor: toActor(caller) })
    }),
  )
}

/** Returns the steps of a change, null where nothing changes. Throws the refusals. */
function decide(
  { payments }: PaidServices,
  { account, party, wish }: { readonly account: Account; readonly party: Party; readonly wish: Wish },
): Steps | null {
  const { status, period, currency, items, subscriptionId } = account
  if (!liveStatuses.includes(status) || period === null || subscriptionId === null) throw noSubscription()
  if (wish.period === period) throw apiError('PAYMENT_SAME_PERIOD', `The plan is paid by the ${period} already.`)
  const wanted = wantedOf(account, party, wish)
  const again = wanted.period !== period
  const steps = stepsTo(items, toLines(wanted), again)
  if (steps.first.length + steps.rest.length === 0) return null
  if (status !== 'active') throw changeRefused('payment_open', { payUrl: account.openInvoice?.payUrl ?? null })
  if (account.cancelAtPeriodEnd) throw changeRefused('ending')
  const kept = again ? [] : items.flatMap(({ item }) => item ?? [])
  const granted = again ? party.granted.filter((product) => !planOf(items).products.includes(product)) : party.granted
  requireOffered(wanted, { prices: payments.prices, currency, granted, kept })
  return steps
}

/** Returns the plan that a wish leads to. With the last product that limits numbers its extra numbers leave. */
export function wantedOf(
  { items, period }: Pick<Account, 'items' | 'period'>,
  { granted }: Pick<Party, 'granted'>,
  wish: Wish,
): Wanted {
  const present = planOf(items)
  const products = wish.products ?? present.products
  const mayHaveExtras = hasCapped([...products, ...granted])
  const extraNumbers = wish.extraNumbers ?? (mayHaveExtras ? present.extraNumbers : 0)
  return { products, extraNumbers, period: wish.period ?? period ?? 'month' }
}

async function carryOut(
  services: PaidServices,
  lease: Lease,
  { account, steps, wish, actor }: { account: Account; steps: Steps; wish: Wish; actor: Actor },
): Promise<Changed> {
  const { db } = services
  const { organizationId } = lease
  // A new change replaces one that waits for its payment.
  for (const { id, kind, waitsUntil } of await listOpenOperations(db, organizationId)) {
    if (kind === 'change' && waitsUntil !== null) await finishOperation(db, organizationId, id, 'refused')
  }
  const request: ChangeRequest = {
    subscriptionId: account.subscriptionId ?? '',
    period: wish.period ?? account.period ?? 'month',
    currency: account.currency,
    ...steps,
  }
  const operation = { id: newId(), organizationId, kind: 'change', request, actor } as const
  await begin(db, operation)
  const made = await attempt(services, lease, operation)
  const { id } = operation
  if (made.done) {
    const finished = [{ id, state: 'done', providerRef: made.invoiceId } as const]
    await refresh(services, lease, { actor, expected: true, finished })
    return { invoiceId: made.invoiceId }
  }
  const { failure, declineCode, payUrl, expiresAt } = made
  if (made.waits && expiresAt !== null) await writeWaiting(db, organizationId, id, expiresAt)
  const finished = made.waits ? [] : [{ id, state: 'refused' } as const]
  await refresh(services, lease, { actor, expected: true, finished })
  throw changeRefused(failure, {
    payUrl,
    ...(expiresAt && { expiresAt: expiresAt.toISOString() }),
    ...declineOf(failure, declineCode),
  })
}

/** Makes the calls of a change. One that certainly did nothing is over. */
async function attempt(
  services: PaidServices,
  lease: Lease,
  operation: {
    readonly id: string
    readonly organizationId: string
    readonly request: ChangeRequest
    readonly actor: Actor
  },
): Promise<Performed> {
  const { id, organizationId, request, actor } = operation
  try {
    return await perform(services, lease, {
      id,
      organizationId,
      kind: 'change',
      request,
      actorKind: actor.kind,
      actorId: actor.id,
      providerRef: null,
      waitsUntil: null,
      createdAt: services.clock.now(),
    })
  } catch (error) {
    if (isCertainlyNotDone(error)) await finishOperation(services.db, organizationId, id, 'refused')
    if (error instanceof ProviderError && error.failure.kind === 'missing') {
      const found = await refresh(services, lease, { expected: true })
      if (!found || !liveStatuses.includes(found.account.status)) throw noSubscription()
    }
    throw error
  }
}
