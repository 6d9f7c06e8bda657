import type { Db } from './db.ts'

interface Line {
  running: number
  readonly waiting: (() => void)[]
}

const lines = new WeakMap<Db, Map<string, Line>>()

/** Half of the connections that a pool has, so that those of one name never take them all. */
const atOnce = 5

/**
 * Runs a work that takes a connection of `db`, at most five of one name at a time and the others in the order they came.
 * What one organization asks often waits for a lock that another of its requests holds; without turns all connections
 * would wait for it, and with them everybody else.
 */
export async function inTurn<T>(db: Db, name: string, work: () => Promise<T>): Promise<T> {
  const named = lines.get(db) ?? new Map<string, Line>()
  lines.set(db, named)
  const line = named.get(name) ?? { running: 0, waiting: [] }
  named.set(name, line)
  if (line.running < atOnce) line.running += 1
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
