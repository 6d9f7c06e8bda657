import type { Context } from '../context.ts'
import { CliError, type CliErrorFacts } from './cli-error.ts'
import { interrupted, toReport } from './format-error.ts'

/** A message that was accepted, and how its sender hears that what was to follow did not come about. */
interface Accepted extends CliErrorFacts {
  readonly messageId: string
  /** What was done and what was not, as the beginning of a sentence that ends with the reason. */
  readonly story: string
}

/**
 * What `error` means behind a message that was accepted. It never looks like a refused send: whoever repeats that sends
 * twice. Ctrl-C stays Ctrl-C, and names the message too.
 */
export function postAcceptError({ host }: Context, error: unknown, { messageId, story, ...facts }: Accepted): CliError {
  if (host.signal.aborted) {
    const advice = `The message was accepted before: msgctl messages show ${messageId}`
    return new CliError(interrupted.message, { ...interrupted, advice, details: { messageId } })
  }
  const { code, message, requestId } = toReport(error)
  const details = { messageId, reason: { code, message, requestId } }
  return new CliError(`${story}: ${message}`, { ...facts, details })
}
