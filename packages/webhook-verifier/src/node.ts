import type { IncomingMessage, ServerResponse } from 'node:http'
import { defaultMaxBodyBytes, type RawBody } from './body.ts'
import { boundedBytes } from './bounded-bytes.ts'
import { refuse, WebhookVerificationError } from './error.ts'
import type { VerifiedEvent } from './events.ts'
import { createHandler, type EventHandlers, type HandlerOptions } from './handler.ts'
import { type AdapterOptions, respond } from './respond.ts'
import type { WebhookSecret } from './secrets.ts'
import { type VerifyOptions, verify } from './verify.ts'

export type { AdapterOptions } from './respond.ts'

/** A plain request, or one to which a framework has added what it read. */
type NodeRequest = IncomingMessage & { readonly body?: unknown; readonly rawBody?: unknown }

/** The raw body: what a framework kept of it, else what is read from the stream, at most up to the bound. */
async function readBody(request: NodeRequest, maxBodyBytes: number): Promise<RawBody> {
  const kept = request.rawBody ?? request.body
  if (kept !== undefined && kept !== null) return kept as RawBody
  if (request.readableDidRead) refuse('raw_body_required')
  return readStream(request, maxBodyBytes)
}

/**
 * Not `for await`: leaving that loop early destroys the socket, and the sender would never see why it was refused.
 * Whatever comes after a refusal is dropped by node:http when the answer is done. A request that breaks off closes.
 */
function readStream(request: IncomingMessage, maxBodyBytes: number): Promise<Uint8Array> {
  const bytes = boundedBytes(maxBodyBytes, request.headers['content-length'])
  return new Promise((resolve, reject) => {
    const take = (piece: Uint8Array) => {
      try {
        bytes.push(piece)
      } catch (error) {
        request.off('data', take).pause()
        reject(error)
      }
    }
    request.on('data', take)
    request.on('end', () => resolve(bytes.join()))
    const breakOff = () => reject(new WebhookVerificationError('body_incomplete'))
    request.on('close', breakOff)
    if (request.destroyed) breakOff()
  })
}

/**
 * Verifies a request of node:http, or of a framework built on it that kept the raw body.
 *
 * @throws WebhookVerificationError, as `verify` does
 */
export async function verifyRequest(
  request: IncomingMessage,
  secret: WebhookSecret,
  options: VerifyOptions = {},
): Promise<VerifiedEvent> {
  return verify(await readBody(request, options.maxBodyBytes ?? defaultMaxBodyBytes), request.headers, secret, options)
}

/**
 * A listener for `createServer` of node:http that verifies deliveries and runs one function for each kind of event. It
 * answers 204 when a delivery is done with, 4xx when it is refused and 500 when the receiver failed; the promise
 * settles when the answer is written and never rejects.
 */
export function createListener(
  handlers: EventHandlers,
  options: HandlerOptions & AdapterOptions,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const handle = createHandler(handlers, options)
  const maxBodyBytes = options.maxBodyBytes ?? defaultMaxBodyBytes
  return async (request, response) => {
    const work = async () => handle(await readBody(request, maxBodyBytes), request.headers)
    const { status, headers, body } = await respond(work, options)
    if (response.destroyed) return
    const unread = request.complete ? {} : { connection: 'close' }
    response.writeHead(status, { ...headers, ...unread }).end(body ?? undefined)
  }
}
