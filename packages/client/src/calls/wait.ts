import type { Clock } from '../clock.ts'
import { invalidInput, isMessagingError, MessagingError } from '../error.ts'
import type { AlertMessageOutput } from '../generated/alert.ts'
import type { Message } from '../generated/records.ts'
import { type CallOptions, requireFields } from '../prepare.ts'
import { classifyFailure } from '../retry.ts'

/** The input of `messages.wait`. */
export interface MessagesWaitInput {
  /** The message. */
  readonly id: string
  /** The status to wait for; a later one will do (default: delivered). */
  readonly until?: 'sent' | 'delivered' | 'read' | undefined
}

/** The call `client.messages.wait`. */
export type MessagesWait = (input: MessagesWaitInput, options?: CallOptions) => Promise<Message>

const order = ['queued', 'sending', 'sent', 'delivered', 'read']
const defaultDeadlineMs = 90_000
const firstPauseMs = 250
const longestPauseMs = 5_000

/** Returns whether a later read can succeed. What a signal has ended stays ended. */
function mayPass({ code, status = 500, details, cause }: MessagingError): boolean {
  const isOver = cause !== undefined && code !== 'CONNECTION_FAILED'
  return !isOver && !/final|quota/.test(classifyFailure(code, status, details))
}

/**
 * Returns the call that reads a message with `read` until it has a status, often at first and then less. A read that
 * fails for a while does not end it.
 */
export function waitWith(
  read: (input: { readonly messageId: string }, options: CallOptions) => Promise<AlertMessageOutput>,
  clock: Clock,
): MessagesWait {
  return async (input, options = {}) => {
    requireFields('messages.wait', 'id until', { ...input })
    const { id, until = 'delivered' } = input
    if (!id || order.indexOf(until) < 2) throw invalidInput('messages.wait: id is missing or until unknown')
    const { deadlineMs = defaultDeadlineMs, signal } = options
    const end = clock.now() + deadlineMs
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 1.5, longestPauseMs)) {
      let late: MessagingError
      try {
        const { message } = await read({ messageId: id }, { ...options, deadlineMs: Math.max(1, end - clock.now()) })
        const { status } = message
        if (status === 'failed' || order.indexOf(status) >= order.indexOf(until)) return message
        const text = `The message is ${status} after ${deadlineMs} ms, and not yet ${until}.`
        late = new MessagingError({ code: 'TIMEOUT', message: text, endpoint: 'GET /alert/messages/:messageId' })
      } catch (error) {
        if (!isMessagingError(error) || !mayPass(error)) throw error
        late = error
      }
      const waitMs = Math.max(pauseMs, late.retryAfterMs ?? 0)
      if (clock.now() + waitMs >= end) throw late
      await clock.wait(waitMs, signal)
    }
  }
}
