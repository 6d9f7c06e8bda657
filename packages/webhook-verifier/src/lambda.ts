import type { RawBody } from './body.ts'
import { createHandler, type EventHandlers, type HandlerOptions } from './handler.ts'
import { type AdapterOptions, respond } from './respond.ts'

export type { AdapterOptions } from './respond.ts'

/** What is used of the request event of API Gateway (REST and HTTP), a function URL or a load balancer. */
export interface LambdaRequest {
  readonly body?: string | null | undefined
  readonly isBase64Encoded?: boolean | undefined
  readonly headers?: Readonly<Record<string, string | undefined>> | null | undefined
  /** Beside `headers` or, from load balancers that are set to it, instead of them. */
  readonly multiValueHeaders?: Readonly<Record<string, readonly string[] | undefined>> | null | undefined
}

/** What the function answers; all of them understand it. */
export interface LambdaResult {
  readonly statusCode: number
  readonly headers: Record<string, string>
  readonly body: string
}

function bodyOf({ body, isBase64Encoded }: LambdaRequest): RawBody {
  if (!isBase64Encoded || typeof body !== 'string') return body ?? ''
  return Uint8Array.from(atob(body), (character) => character.charCodeAt(0))
}

/**
 * A Lambda function that verifies deliveries and runs one function for each kind of event. It answers 204 when a
 * delivery is done with, 4xx when it is refused and 500 when the receiver failed; it never rejects.
 */
export function createLambdaHandler(
  handlers: EventHandlers,
  options: HandlerOptions & AdapterOptions,
): (request: LambdaRequest) => Promise<LambdaResult> {
  const handle = createHandler(handlers, options)
  return async (request) => {
    // Where both are there, the other one keeps only the last of a header that was sent twice.
    const received = request.multiValueHeaders ?? request.headers ?? {}
    const { status, headers, body } = await respond(async () => handle(bodyOf(request), received), options)
    return { statusCode: status, headers: { ...headers }, body: body ?? '' }
  }
}
