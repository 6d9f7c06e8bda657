import type { Clock } from '../clock.ts'
import { MessagingError } from '../error.ts'
import type { AlertMessageOutput } from '../generated/alert.ts'
import type { Message } from '../generated/records.ts'
import type { CallOptions } from '../prepare.ts'

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

/** Returns the call that reads a message with `read` until it has a status, often at first and then less. */
export function waitWith(
  read: (input: { readonly messageId: string }, options: CallOptions) => Promise<AlertMessageOutput>,
  clock: Clock,
): MessagesWait {
  return async ({ id, until = 'delivered' }, options = {}) => {
    const { deadlineMs = defaultDeadlineMs, signal } = options
    const end = clock.now() + deadlineMs
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 1.5, longestPauseMs)) {
      const leftMs = Math.max(1, end - clock.now())
      const { message } = await read({ messageId: id }, { ...options, deadlineMs: leftMs })
      const { status } = message
      if (status === 'failed' || order.indexOf(status) >= order.indexOf(until)) return message
      if (clock.now() + pauseMs >= end) {
        const text = `The message is ${status} after ${deadlineMs} ms, and not yet ${until}.`
        throw new MessagingError({ code: 'TIMEOUT', message: text, endpoint: 'GET /alert/messages/:messageId' })
      }
      await clock.wait(pauseMs, signal)
    }
  }
}
