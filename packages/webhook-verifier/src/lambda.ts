import { openAdapter } from './adapter/adapter.ts'
import type { RawBody } from './body.ts'
import type { EventHandlers, HandlerOptions } from './handler.ts'
import { type AdapterOptions, notPosted } from './respond.ts'

export type { AdapterOptions } from './respond.ts'

/** The part of the request event of API Gateway (REST and HTTP), a function URL or a load balancer that is used. */
export interface LambdaRequest {
  /** The method, from API Gateway (REST) and load balancers. */
  readonly httpMethod?: string | undefined
  /** Has the method from API Gateway (HTTP) and function URLs. */
  readonly requestContext?: unknown
  readonly body?: string | null | undefined
  readonly isBase64Encoded?: boolean | undefined
  readonly headers?: Readonly<Record<string, string | undefined>> | null | undefined
  /** In addition to `headers`, or instead of them from load balancers that are configured so. */
  readonly multiValueHeaders?: Readonly<Record<string, readonly string[] | undefined>> | null | undefined
}

/** The result of the function, in a form that all of them accept. */
export interface LambdaResult {
  readonly statusCode: number
  readonly headers: Record<string, string>
  readonly body: string
}

function decodeBody({ body, isBase64Encoded }: LambdaRequest): RawBody {
  if (!isBase64Encoded || typeof body !== 'string') return body ?? ''
  return Uint8Array.from(atob(body), (character) => character.charCodeAt(0))
}

/** Returns the method in the context of API Gateway (HTTP) and function URLs; undefined in any other. */
function methodOf(context: unknown): unknown {
  const http = typeof context === 'object' && context !== null && 'http' in context ? context.http : undefined
  return typeof http === 'object' && http !== null && 'method' in http ? http.method : undefined
}

/**
 * Creates a Lambda function that verifies deliveries and runs one function for each event type. It returns 204 for a
 * processed delivery, 4xx for a rejected one and 500 when the receiver failed. It never rejects.
 */
export function createLambdaHandler(
  handlers: EventHandlers,
  options: HandlerOptions & AdapterOptions,
): (request: LambdaRequest) => Promise<LambdaResult> {
  const { handle, respond } = openAdapter(handlers, options)
  return async (request) => {
    // If both exist, `headers` has only the last value of a repeated header.
    const received = request.multiValueHeaders ?? request.headers ?? {}
    const method = request.httpMethod ?? methodOf(request.requestContext) ?? 'POST'
    const { status, headers, body } =
      method === 'POST' ? await respond(async () => handle(decodeBody(request), received)) : notPosted
    return { statusCode: status, headers: { ...headers }, body: body ?? '' }
  }
}
