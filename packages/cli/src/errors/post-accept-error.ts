import type { Context } from '../context.ts'
import { CliError, type CliErrorFacts } from './cli-error.ts'
import { interrupted, toReport } from './format-error.ts'

/** An accepted message, and the facts of the error in the step after it. */
interface Accepted extends CliErrorFacts {
  readonly messageId: string
  /** What was done and what was not; the reason is appended. */
  readonly story: string
}

/**
 * Creates the error for a step that failed after a message was accepted. It never looks like a rejected send, because
 * repeating the command would send twice. After Ctrl-C, the error names the message too.
 */
export function postAcceptError({ host }: Context, error: unknown, { messageId, story, ...facts }: Accepted): CliError {
  if (host.signal.aborted) {
    const advice = `The message had been accepted: msgctl messages show ${messageId}`
    return new CliError(interrupted.message, { ...interrupted, advice, details: { messageId } })
  }
  const { code, message, requestId } = toReport(error)
  const details = { messageId, reason: { code, message, requestId } }
  return new CliError(`${story}: ${message}`, { ...facts, details })
}
