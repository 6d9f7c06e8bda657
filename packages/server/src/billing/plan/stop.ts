import { toActor } from '#api/activity/log.ts'
import type { Caller } from '#api/http/handler.ts'
import { findAccount } from '#billing/accounts/account-store.ts'
import { type Lease, withLease } from '#billing/accounts/lease.ts'
import { type Account, liveStatuses } from '#billing/accounts/stored.ts'
import { calling } from '#billing/calling.ts'
import { isCertainlyNotDone, noSubscription, type PaidServices } from '#billing/errors.ts'
import { finishOperation } from '#billing/operations/operation-store.ts'
import { begin, perform, type StopRequest } from '#billing/operations/perform.ts'
import { settle } from '#billing/operations/settle.ts'
import { refresh } from '#billing/refresh/refresh.ts'
import { newId } from '#platform/db/new-id.ts'
import { apiError } from '#platform/errors.ts'

/** Sets the plan to stop at the end of its period; while a payment is open it ends at once. */
export async function cancelPlan(services: PaidServices, caller: Caller): Promise<void> {
  await withLive(services, caller, async (lease, account) => {
    if (account.status === 'active' && account.cancelAtPeriodEnd) return
    const when = account.status === 'active' ? 'period_end' : 'now'
    const invoiceId = when === 'now' ? (account.openInvoice?.providerId ?? null) : null
    await stop(services, lease, { caller, kind: 'cancel', account, when, invoiceId })
  })
}

/** Lets a plan continue that is set to stop. */
export async function resumePlan(services: PaidServices, caller: Caller): Promise<void> {
  await withLive(services, caller, async (lease, account) => {
    if (!account.cancelAtPeriodEnd)
      throw apiError('PAYMENT_NOTHING_TO_RESUME', 'The plan is not set to stop: it renews by itself.')
    await stop(services, lease, { caller, kind: 'resume', account, when: 'never', invoiceId: null })
  })
}

async function withLive(
  services: PaidServices,
  { organizationId }: Caller,
  work: (lease: Lease, account: Account) => Promise<void>,
): Promise<void> {
  if (!(await findAccount(services.db, organizationId))?.customerId) throw noSubscription()
  await calling(() =>
    withLease(services, organizationId, async (lease) => {
      const account = (await settle(services, lease, { expected: true }))?.account
      if (!account || !liveStatuses.includes(account.status)) throw noSubscription()
      await work(lease, account)
    }),
  )
}

interface Stop extends Omit<StopRequest, 'subscriptionId'> {
  readonly caller: Caller
  readonly kind: 'cancel' | 'resume'
  readonly account: Account
}

async function stop(services: PaidServices, lease: Lease, { caller, kind, account, when, invoiceId }: Stop) {
  const { db, clock } = services
  const { organizationId } = lease
  const request: StopRequest = { subscriptionId: account.subscriptionId ?? '', when, invoiceId }
  const actor = toActor(caller)
  const id = newId()
  await begin(db, { id, organizationId, kind, request, actor })
  try {
    await perform(services, lease, {
      id,
      organizationId,
      kind,
      request,
      actorKind: actor.kind,
      actorId: actor.id,
      providerRef: null,
      waitsUntil: null,
      createdAt: clock.now(),
    })
  } catch (error) {
    if (isCertainlyNotDone(error)) await finishOperation(db, organizationId, id, 'refused')
    throw error
  }
  await refresh(services, lease, { actor, expected: true, finished: [{ id, state: 'done' }] })
}
