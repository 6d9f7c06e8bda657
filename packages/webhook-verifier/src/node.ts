import type { IncomingMessage, ServerResponse } from 'node:http'
import { openAdapter } from './adapter/adapter.ts'
import { defaultMaxBodyBytes } from './body.ts'
import type { VerifiedEvent } from './events.ts'
import type { EventHandlers, HandlerOptions } from './handler.ts'
import { nodeBody } from './kept-body.ts'
import { type AdapterOptions, notPosted } from './respond.ts'
import type { WebhookSecret } from './secrets.ts'
import { type VerifyOptions, verify } from './verify.ts'

export type { AdapterOptions } from './respond.ts'

/** A plain request, or one to which a framework has added the body. */
type NodeRequest = IncomingMessage & { readonly body?: unknown; readonly rawBody?: unknown }

/**
 * Verifies a request of node:http, or of a framework built on it that kept the raw body.
 *
 * @throws WebhookVerificationError, as `verify` does
 */
export async function verifyRequest(
  request: NodeRequest,
  secret: WebhookSecret,
  options: VerifyOptions = {},
): Promise<VerifiedEvent> {
  const rawBody = await nodeBody(request, request, options.maxBodyBytes ?? defaultMaxBodyBytes)
  return verify(rawBody, request.headers, secret, options)
}

/**
 * Creates a listener for `createServer` of node:http, or a handler for an Express route, that verifies deliveries and
 * runs one function for each event type. It responds with 204 to a processed delivery, 4xx to a rejected one and 500
 * when the receiver failed. The promise resolves when the response is written and never rejects.
 */
export function createListener(
  handlers: EventHandlers,
  options: HandlerOptions & AdapterOptions,
): (request: NodeRequest, response: ServerResponse) => Promise<void> {
  const { handle, respond } = openAdapter(handlers, options)
  const maxBodyBytes = options.maxBodyBytes ?? defaultMaxBodyBytes
  return async (request, response) => {
    const work = async () => handle(await nodeBody(request, request, maxBodyBytes), request.headers)
    const { status, headers, body } = request.method === 'POST' ? await respond(work) : notPosted
    if (response.destroyed) return
    const unread = request.complete ? {} : { connection: 'close' }
    response.writeHead(status, { ...headers, ...unread }).end(body ?? undefined)
  }
}
