import { type RefusalReason, WebhookVerificationError } from './error.ts'

/** What an adapter answers. `body` is null for a 204. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** What every adapter takes besides the handler's options. */
export interface AdapterOptions {
  /**
   * Hears of every refusal and of every failed handler. By default failures of the receiver itself go to
   * `console.error`, and refusals of what strangers send go nowhere: they would fill the log.
   */
  readonly onError?: ((error: unknown) => void) | undefined
}

/** Refusals that are not a plain 401: the request's form, its size, and mistakes in the receiver's own code. */
const statusOf: { readonly [Reason in RefusalReason]?: number } = {
  malformed_header: 400,
  duplicate_timestamp: 400,
  malformed_timestamp: 400,
  invalid_json: 400,
  invalid_event: 400,
  body_incomplete: 400,
  body_too_large: 413,
  malformed_secret: 500,
  raw_body_required: 500,
}

/**
 * Runs a delivery and says what to answer: 204 when it is done with, 4xx when it was refused, 500 when the receiver
 * failed. Never rejects, so an adapter only has to write the answer.
 */
export async function respond(work: () => Promise<unknown>, { onError }: AdapterOptions): Promise<Answer> {
  try {
    await work()
    return { status: 204, headers: {}, body: null }
  } catch (error) {
    const refusal = error instanceof WebhookVerificationError ? error.reason : undefined
    const status = refusal ? (statusOf[refusal] ?? 401) : 500
    report(error, status, onError)
    return refusalAnswer(status, refusal ?? 'handler_failed')
  }
}

/** A reporter that fails must not leave the service without an answer. */
function report(error: unknown, status: number, onError: AdapterOptions['onError']): void {
  try {
    if (onError) onError(error)
    else if (status === 500) console.error(error)
  } catch (failure) {
    console.error(failure)
  }
}

/** The service retries whatever the status is; `reason` is for the person who reads its delivery log. */
function refusalAnswer(status: number, reason: string): Answer {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify({ reason }) }
}
