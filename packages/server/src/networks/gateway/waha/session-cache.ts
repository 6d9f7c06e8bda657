/** Which sessions this process knows to work. */
export interface SessionCache {
  /** Whether the session was heard to work within the last two seconds. */
  isWorking(containerId: string): boolean
  /** Records a status that was heard. */
  hear(containerId: string, status: string): void
  delete(containerId: string): void
}

const freshMs = 2000
const maxSessions = 100_000

/**
 * Creates the cache. WAHA holds a call to a session that does not work for five seconds, so every call asks here first.
 * Webhooks, reads and successful sends feed it. Only WORKING is kept: another status is read again, because its end may
 * have been heard by another process.
 */
export function sessionCache(elapsedMs: () => number = () => performance.now()): SessionCache {
  const workingAtMs = new Map<string, number>()
  return {
    isWorking(containerId) {
      const atMs = workingAtMs.get(containerId)
      return atMs !== undefined && elapsedMs() - atMs < freshMs
    },
    hear(containerId, status) {
      if (workingAtMs.size >= maxSessions) workingAtMs.clear()
      if (status === 'WORKING') workingAtMs.set(containerId, elapsedMs())
      else workingAtMs.delete(containerId)
    },
    delete: (containerId) => void workingAtMs.delete(containerId),
  }
}
