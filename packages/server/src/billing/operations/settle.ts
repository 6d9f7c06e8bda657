import type { Lease } from '#billing/accounts/lease.ts'
import { planOf } from '#billing/accounts/stored.ts'
import { isUnavailable, type PaidServices } from '#billing/errors.ts'
import { ProviderError } from '#billing/payments/provider.ts'
import type { Finished, RefreshOptions } from '#billing/refresh/options.ts'
import { type Refreshed, refresh } from '#billing/refresh/refresh.ts'
import { listOpenOperations, type Operation, writeWaiting } from './operation-store.ts'
import { firstOf, perform, performRest } from './perform.ts'

/**
 * Completes what was cut off, then reads the provider and applies what it says: afterwards nothing is under way, and
 * the service knows what the provider knows. `expected`: a person waits for what is new. Throws what a provider throws
 * that does not respond.
 */
export async function settle(
  services: PaidServices,
  lease: Lease,
  { expected = false }: Pick<RefreshOptions, 'expected'> = {},
): Promise<Refreshed | null> {
  const open = await listOpenOperations(services.db, lease.organizationId)
  const cutOff = open.filter(({ waitsUntil }) => waitsUntil === null)
  const finished: Finished[] = []
  for (const operation of cutOff) {
    const end = await complete(services, lease, operation)
    if (end) finished.push(end)
  }
  const found = await refresh(services, lease, { finished, expected, ...by(cutOff) })
  const waiting = open.filter(({ waitsUntil }) => waitsUntil !== null)
  if (waiting.length === 0 || found === null || found.account.pending !== null) return found
  const rest = await Promise.all(waiting.map((operation) => completeRest(lease, operation, found)))
  return refresh(services, lease, { finished: rest, ...by(waiting) })
}

/** Who is named in the log for what operations did. */
function by(operations: readonly Operation[]): Pick<RefreshOptions, 'actor' | 'expected'> {
  const last = operations.at(-1)
  return last ? { actor: { kind: last.actorKind, id: last.actorId }, expected: true } : {}
}

/** Makes the calls of an operation once more. Returns how it ended; null while it waits. */
async function complete(services: PaidServices, lease: Lease, operation: Operation): Promise<Finished | null> {
  const { id, organizationId } = operation
  // The person opens another page; the one that may have been made is closed by the refresh.
  if (operation.kind === 'checkout') return { id, state: 'refused' }
  try {
    const made = await perform(services, lease, operation)
    if (made.done) return { id, state: 'done', providerRef: made.invoiceId }
    if (!made.waits || made.expiresAt === null) return { id, state: 'refused' }
    await writeWaiting(services.db, organizationId, id, made.expiresAt)
    return null
  } catch (error) {
    // Nothing waits for a name: the next settlement writes it.
    if (operation.kind === 'customer' && error instanceof ProviderError && isUnavailable(error)) return null
    if (!(error instanceof ProviderError) || isUnavailable(error)) throw error
    if (operation.kind === 'end' && error.failure.kind !== 'missing') {
      services.log.error({ event: 'billing_end_failed', organizationId }, 'the provider refuses to end a subscription')
      throw error
    }
    return { id, state: 'refused' }
  }
}

/** Makes the rest of a change whose first part waited: it was paid, or is given up. */
async function completeRest(lease: Lease, operation: Operation, { account }: Refreshed): Promise<Finished> {
  const { products, extraNumbers } = planOf(account.items)
  const isReached = firstOf(operation).every((change) => {
    if ('deleted' in change) return true
    return change.item === 'extra_numbers' ? extraNumbers === change.quantity : products.includes(change.item)
  })
  if (!isReached) return { id: operation.id, state: 'refused' }
  await performRest(lease, operation, null)
  return { id: operation.id, state: 'done' }
}
