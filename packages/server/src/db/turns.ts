import { type Db, transaction } from './db.ts'

interface Line {
  running: number
  readonly waiting: (() => void)[]
}

const lines = new WeakMap<Db, Map<string, Line>>()

/** How many of a pool's connections those of one name may take: two in five, so never all of them. */
function shareOf(db: Db): number {
  const { max } = db.client.pool as { readonly max: number }
  return Math.max(1, Math.floor((max * 2) / 5))
}

/**
 * Runs a work that takes a connection of the pool `db`, two fifths of the pool for one name at most; the others of that
 * name follow in the order they came.
 * What one organization asks often waits for a lock that another of its requests holds; without turns all connections
 * would wait for it, and with them everybody else.
 */
export async function inTurn<T>(db: Db, name: string, work: () => Promise<T>): Promise<T> {
  const named = lines.get(db) ?? new Map<string, Line>()
  lines.set(db, named)
  const line = named.get(name) ?? { running: 0, waiting: [] }
  named.set(name, line)
  if (line.running < shareOf(db)) line.running += 1
  else await new Promise<void>((resolve) => line.waiting.push(resolve))
  try {
    return await work()
  } finally {
    const next = line.waiting.shift()
    if (next) next()
    else line.running -= 1
    if (line.running === 0) named.delete(name)
  }
}

/** Runs `fn` in one transaction, as `transaction` of db.ts does, when it is the turn of this organization's request. */
export function transactionInTurn<T>(db: Db, organizationId: string, fn: (trx: Db) => Promise<T>): Promise<T> {
  return inTurn(db, organizationId, () => transaction(db, fn))
}
