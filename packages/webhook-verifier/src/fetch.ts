import { openAdapter } from './adapter/adapter.ts'
import { defaultMaxBodyBytes } from './body.ts'
import { boundedBytes } from './bounded-bytes.ts'
import { refuse } from './error.ts'
import type { VerifiedEvent } from './events.ts'
import type { ContextArgument, EventHandlers, HandlerOptions } from './handler.ts'
import { type AdapterOptions, notPosted } from './respond.ts'
import type { WebhookSecret } from './secrets.ts'
import { type VerifyOptions, verify } from './verify.ts'

export type { AdapterOptions } from './respond.ts'

/** Returns the raw body of a fetch-style request, at most `maxBodyBytes`. */
async function readBody(request: Request, maxBodyBytes: number): Promise<Uint8Array> {
  if (request.bodyUsed) refuse('raw_body_required')
  const bytes = boundedBytes(maxBodyBytes, request.headers.get('content-length'))
  const reader = request.body?.getReader()
  if (!reader) return bytes.join()
  const read = () => reader.read().catch(() => refuse('body_incomplete'))
  try {
    for (let piece = await read(); !piece.done; piece = await read()) bytes.push(piece.value)
  } catch (error) {
    await reader.cancel().catch(() => {})
    throw error
  }
  return bytes.join()
}

/**
 * Verifies a fetch-style `Request` whose body has not been read yet (Workers, Deno, Bun, Next route handlers, Hono).
 *
 * @throws WebhookVerificationError, as `verify` does
 */
export async function verifyRequest(
  request: Request,
  secret: WebhookSecret,
  options: VerifyOptions = {},
): Promise<VerifiedEvent> {
  return verify(await readBody(request, options.maxBodyBytes ?? defaultMaxBodyBytes), request.headers, secret, options)
}

/**
 * Creates a function from `Request` to `Response` that verifies deliveries and runs one function for each event type.
 * It responds with 204 to a processed delivery, 4xx to a rejected one and 500 when the receiver failed. It never
 * rejects. What it gets as its second argument, such as the `env` of Workers, is the second argument of these functions
 * and the argument of a `secret` that is a function.
 */
export function createFetchHandler<Context = unknown>(
  handlers: EventHandlers<Context>,
  options: HandlerOptions<Context> & AdapterOptions,
): (request: Request, ...context: ContextArgument<Context>) => Promise<Response> {
  const { handle, respond } = openAdapter(handlers, options)
  const maxBodyBytes = options.maxBodyBytes ?? defaultMaxBodyBytes
  return async (request, ...context) => {
    const work = async () => handle(await readBody(request, maxBodyBytes), request.headers, ...context)
    const { body, ...init } = request.method === 'POST' ? await respond(work) : notPosted
    return new Response(body, init)
  }
}
