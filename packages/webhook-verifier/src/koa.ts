import type { IncomingMessage } from 'node:http'
import { openAdapter } from './adapter/adapter.ts'
import { defaultMaxBodyBytes } from './body.ts'
import type { EventHandlers, HandlerOptions } from './handler.ts'
import { nodeBody } from './kept-body.ts'
import { type AdapterOptions, notPosted } from './respond.ts'

export type { AdapterOptions } from './respond.ts'

/** The part of Koa's context that is used. */
export interface KoaContext {
  readonly req: IncomingMessage
  /** Body parsers add `body`, and some of them `rawBody`. */
  readonly request: object
  status: number
  body: unknown
  set(headers: Record<string, string>): unknown
}

/**
 * Creates a Koa middleware or route that verifies deliveries and runs one function for each event type. It responds
 * with 204 to a processed delivery, 4xx to a rejected one and 500 when the receiver failed. It never rejects and calls
 * no further middleware. Body parsers before it must keep `rawBody` or skip this path.
 */
export function createKoaMiddleware(
  handlers: EventHandlers,
  options: HandlerOptions & AdapterOptions,
): (context: KoaContext) => Promise<void> {
  const { handle, respond } = openAdapter(handlers, options)
  const maxBodyBytes = options.maxBodyBytes ?? defaultMaxBodyBytes
  return async (context) => {
    const { req, request } = context
    const work = async () => handle(await nodeBody(req, request, maxBodyBytes), req.headers)
    const { status, headers, body } = req.method === 'POST' ? await respond(work) : notPosted
    // The rest of a rejected body must not be read as the next request on this connection.
    context.set({ ...headers, ...(req.complete ? {} : { connection: 'close' }) })
    context.body = body
    context.status = status
  }
}
