import { SemaphoreFull, SemaphoreTimeout, semaphore } from '@msgctl/network/semaphore'
import { apiError } from '#platform/errors.ts'

const retryAfterSeconds = 5
const permits = semaphore({ limitPerKey: () => 1, maxQueuedPerKey: 20, queueTimeoutMs: 35_000 })

/**
 * Runs `task`, which reads and checks a bulk body, while this process reads no other one of the organization. Throws
 * SERVICE_BUSY when too many wait already, or after waiting for 35 s, which is longer than one body may take to arrive.
 */
export async function withBulkPermit<T>(organizationId: string, task: () => Promise<T>): Promise<T> {
  try {
    return await permits.run(organizationId, task)
  } catch (error) {
    if (!(error instanceof SemaphoreFull || error instanceof SemaphoreTimeout)) throw error
    const message = `The organization uploads other large lists. Try again in ${retryAfterSeconds} s.`
    throw apiError('SERVICE_BUSY', message, { retryAfterSeconds, outcome: 'not_sent' })
  }
}
