import { GatewayError } from '@msgctl/network/errors'
import { SemaphoreTimeout, semaphore } from '@msgctl/network/semaphore'

/** Messages that one process encrypts and sends at a time. */
const mostAtOnce = 32
/** How long a message waits for its start: less than a server waits for its response. */
const queueTimeoutMs = 15_000

/** Runs the send of a number when it is its turn. Throws a GatewayError when that takes too long. */
export type SendLimit = <T>(containerId: string, send: () => Promise<T>) => Promise<T>

/**
 * Creates the limit of a process. The first message to a person takes 20 to 60 ms of CPU. Without a limit, a burst of
 * them would delay everything else in the process, and with it the renewal of its leases.
 */
export function createSendLimit(limit = mostAtOnce, timeoutMs = queueTimeoutMs): SendLimit {
  const permits = semaphore({ limit, queueTimeoutMs: timeoutMs })
  return (containerId, send) =>
    permits.run(containerId, send).catch((error: unknown) => {
      if (!(error instanceof SemaphoreTimeout)) throw error
      throw new GatewayError('unreachable', 'The gateway host has too many messages to send.', { outcome: 'not_sent' })
    })
}
