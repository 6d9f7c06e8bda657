import type { Pool } from 'pg'

const spacingMs = 20

/**
 * Returns what signals the servers that events wait in the inbox, at most every 20 ms. NOTIFY takes a lock that all
 * sessions share when it commits, so it is never part of another statement.
 */
export function inboxSignal(pool: Pool, hostId: string): () => void {
  let isScheduled = false
  return () => {
    if (isScheduled) return
    isScheduled = true
    setTimeout(() => {
      isScheduled = false
      // A lost signal only makes a server wait for its next poll.
      pool.query('select pg_notify($1, $2)', ['msgctl_wake', `${hostId} inbox`]).catch(() => undefined)
    }, spacingMs)
  }
}
