import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { limits } from '@msgctl/contract'
import { inProgress } from '#billing/errors.ts'
import type { Payments } from '#billing/payments/payments.ts'
import type { Provider } from '#billing/payments/provider.ts'
import { crashPoint } from '#platform/crash-points.ts'
import type { Db } from '#platform/db/db.ts'
import type { Services } from '#services.ts'
import { dropLease, renewLease, takeLease } from './lease-store.ts'

/** What works with the provider for one organization: no other call does so at the same time. */
export interface Lease {
  readonly organizationId: string
  readonly token: string
  readonly payments: Payments
  /** Calls the provider; the lease is prolonged first. Throws when another call has it by now. */
  call<T>(use: (provider: Provider) => Promise<T>): Promise<T>
  /** The same for a call of an operation, which is carried out once however often it is repeated. */
  operate<T>(use: (provider: Provider) => Promise<T>): Promise<T>
}

/** One function of the provider makes so many calls at most, each of which is repeated once. */
const longestCalls = 12
const leastLeaseSeconds = 150
const pollMs = 100

/**
 * Runs `work` while no other call works with the provider for the organization. Waits up to `waitSeconds` for its turn,
 * then throws PAYMENT_CHANGE_REFUSED `in_progress`. No transaction is open while `work` runs.
 */
export async function withLease<T>(
  { db, payments }: Pick<Services, 'db'> & { readonly payments: Payments },
  organizationId: string,
  work: (lease: Lease) => Promise<T>,
  waitSeconds: number = limits.billing.waitSeconds,
): Promise<T> {
  const token = randomUUID()
  const leaseSeconds = Math.max(leastLeaseSeconds, longestCalls * payments.timeoutSeconds)
  await takeInTurn(db, { organizationId, token, leaseSeconds }, waitSeconds)
  const call: Lease['call'] = async (use) => {
    if (!(await renewLease(db, organizationId, token, leaseSeconds))) throw inProgress()
    return use(payments.provider)
  }
  const operate: Lease['operate'] = async (use) => {
    const made = await call(use)
    crashPoint('billing.called')
    return made
  }
  try {
    return await work({ organizationId, token, payments, call, operate })
  } finally {
    await dropLease(db, organizationId, token).catch(() => undefined)
  }
}

interface Turn {
  readonly organizationId: string
  readonly token: string
  readonly leaseSeconds: number
}

async function takeInTurn(db: Db, { organizationId, token, leaseSeconds }: Turn, waitSeconds: number): Promise<void> {
  const lastAt = performance.now() + waitSeconds * 1000
  while (!(await takeLease(db, organizationId, token, leaseSeconds))) {
    if (performance.now() >= lastAt) throw inProgress()
    await wait(pollMs)
  }
}
