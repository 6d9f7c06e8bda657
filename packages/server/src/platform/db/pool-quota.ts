import { type Semaphore, semaphore } from '@msgctl/network/semaphore'
import { type Db, transaction } from './db.ts'

const quotas = new WeakMap<Db, Semaphore>()

/** Returns how many of a pool's connections the work of one name may take: two in five, so never all of them. */
function poolShare(db: Db): number {
  const { max } = db.client.pool as { readonly max: number }
  return Math.max(1, Math.floor((max * 2) / 5))
}

/** Returns the connections of a pool that are used and idle, and how many tasks wait for one. */
export function poolFigures(db: Db): { readonly used: number; readonly idle: number; readonly waiting: number } {
  const pool = db.client.pool as { numUsed(): number; numFree(): number; numPendingAcquires(): number }
  return { used: pool.numUsed(), idle: pool.numFree(), waiting: pool.numPendingAcquires() }
}

/**
 * Runs a task that takes a connection of the pool `db`, with two fifths of the pool for one name at most. The requests
 * of one organization often wait for a lock that another of its requests holds; without a quota all connections would
 * wait for it, and with them every other organization.
 */
export function withPoolQuota<T>(db: Db, name: string, task: () => Promise<T>): Promise<T> {
  const quota = quotas.get(db) ?? semaphore({ limitPerKey: () => poolShare(db) })
  quotas.set(db, quota)
  return quota.run(name, task)
}

/** Runs `fn` in one transaction, as `transaction` of db.ts does, within the quota of the organization. */
export function transactionWithQuota<T>(db: Db, organizationId: string, fn: (trx: Db) => Promise<T>): Promise<T> {
  return withPoolQuota(db, organizationId, () => transaction(db, fn))
}
