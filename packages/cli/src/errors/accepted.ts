import type { Context } from '../context.ts'
import { CliFailure, type FailureFacts } from './failure.ts'
import { interrupted, reportOf } from './report.ts'

/** A message that was accepted, and how its sender hears that what was to follow did not come about. */
interface Accepted extends FailureFacts {
  readonly messageId: string
  /** What was done and what was not, as the beginning of a sentence that ends with the reason. */
  readonly story: string
}

/**
 * What `error` means behind a message that was accepted. It never looks like a refused send: whoever repeats that sends
 * twice. Ctrl-C stays Ctrl-C, and names the message too.
 */
export function failureBehind(
  { world }: Context,
  error: unknown,
  { messageId, story, ...facts }: Accepted,
): CliFailure {
  if (world.signal.aborted) {
    const advice = `The message was accepted before: msgctl messages show ${messageId}`
    return new CliFailure(interrupted.message, { ...interrupted, advice, details: { messageId } })
  }
  const { code, message, requestId } = reportOf(error)
  const details = { messageId, reason: { code, message, requestId } }
  return new CliFailure(`${story}: ${message}`, { ...facts, details })
}
