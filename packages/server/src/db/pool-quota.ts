import { type Db, transaction } from './db.ts'

interface Quota {
  running: number
  readonly queue: (() => void)[]
}

const quotas = new WeakMap<Db, Map<string, Quota>>()

/** How many of a pool's connections those of one name may take: two in five, so never all of them. */
function poolShare(db: Db): number {
  const { max } = db.client.pool as { readonly max: number }
  return Math.max(1, Math.floor((max * 2) / 5))
}

/**
 * Runs a work that takes a connection of the pool `db`, two fifths of the pool for one name at most; the others of that
 * name follow in the order they came.
 * What one organization asks often waits for a lock that another of its requests holds; without turns all connections
 * would wait for it, and with them everybody else.
 */
export async function withPoolQuota<T>(db: Db, name: string, work: () => Promise<T>): Promise<T> {
  const named = quotas.get(db) ?? new Map<string, Quota>()
  quotas.set(db, named)
  const quota = named.get(name) ?? { running: 0, queue: [] }
  named.set(name, quota)
  if (quota.running < poolShare(db)) quota.running += 1
  else await new Promise<void>((resolve) => quota.queue.push(resolve))
  try {
    return await work()
  } finally {
    const next = quota.queue.shift()
    if (next) next()
    else quota.running -= 1
    if (quota.running === 0) named.delete(name)
  }
}

/** Runs `fn` in one transaction, as `transaction` of db.ts does, when it is the turn of this organization's request. */
export function transactionWithQuota<T>(db: Db, organizationId: string, fn: (trx: Db) => Promise<T>): Promise<T> {
  return withPoolQuota(db, organizationId, () => transaction(db, fn))
}
