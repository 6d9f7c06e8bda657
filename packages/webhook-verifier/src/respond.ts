import { type RefusalReason, WebhookVerificationError } from './error.ts'

/** The response of an adapter. `body` is null for a 204. */
export interface AdapterResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** The response to a request that is no POST: such as one of a browser or a monitor. */
export const notPosted: AdapterResponse = {
  status: 405,
  headers: { allow: 'POST', 'content-type': 'application/json' },
  body: JSON.stringify({ reason: 'method_not_allowed' }),
}

/** The options of every adapter, in addition to those of the handler. */
export interface AdapterOptions {
  /**
   * Called for every rejected delivery and every failed handler. Default: failures of the handler go to
   * `console.error`, and the first refusal of each reason to `log`.
   */
  readonly onError?: ((error: unknown) => void) | undefined
  /**
   * Gets one line for the first refusal of each reason, with what to do about it, and one for each handler whose name
   * is no event (default: `console.error`). `false` logs nothing.
   */
  readonly log?: ((line: string) => void) | false | undefined
}

/** The status of refusals other than 401: malformed requests, their size, and mistakes in the receiver's code. */
const statuses: { readonly [Reason in RefusalReason]?: number } = {
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
 * Runs `task` for a delivery and returns the response: 204 when it was processed, 4xx when it was rejected, 500 when
 * the receiver failed. Never rejects.
 */
export async function respond(
  task: () => Promise<unknown>,
  { onError }: AdapterOptions,
  refused: (error: WebhookVerificationError, status: number) => void,
): Promise<AdapterResponse> {
  try {
    await task()
    return { status: 204, headers: {}, body: null }
  } catch (error) {
    const refusal = error instanceof WebhookVerificationError ? error.reason : undefined
    const status = refusal ? (statuses[refusal] ?? 401) : 500
    report(() => {
      if (onError) onError(error)
      else if (error instanceof WebhookVerificationError) refused(error, status)
      else console.error(error)
    })
    return toErrorResponse(status, refusal ?? 'handler_failed')
  }
}

/** Reports an error. A failing `onError` or `log` must not prevent the response. */
function report(task: () => void): void {
  try {
    task()
  } catch (failure) {
    console.error(failure)
  }
}

/** Returns an error response. The service retries for any status; its delivery log shows `reason`. */
function toErrorResponse(status: number, reason: string): AdapterResponse {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify({ reason }) }
}
