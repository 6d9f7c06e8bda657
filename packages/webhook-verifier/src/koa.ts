import type { IncomingMessage } from 'node:http'
import { defaultMaxBodyBytes } from './body.ts'
import { createHandler, type EventHandlers, type HandlerOptions } from './handler.ts'
import { nodeBody } from './kept-body.ts'
import { type AdapterOptions, respond } from './respond.ts'

export type { AdapterOptions } from './respond.ts'

/** What is used of Koa's context. */
export interface KoaContext {
  readonly req: IncomingMessage
  /** Body parsers put `body` here, and some of them `rawBody`. */
  readonly request: object
  status: number
  body: unknown
  set(headers: Record<string, string>): unknown
}

/**
 * A middleware or route of Koa that verifies deliveries and runs one function for each kind of event. It answers 204
 * when a delivery is done with, 4xx when it is refused and 500 when the receiver failed; it never rejects and calls no
 * further middleware. Body parsers before it must keep `rawBody`, or leave this path alone.
 */
export function createKoaMiddleware(
  handlers: EventHandlers,
  options: HandlerOptions & AdapterOptions,
): (context: KoaContext) => Promise<void> {
  const handle = createHandler(handlers, options)
  const maxBodyBytes = options.maxBodyBytes ?? defaultMaxBodyBytes
  return async (context) => {
    const { req, request } = context
    const work = async () => handle(await nodeBody(req, request, maxBodyBytes), req.headers)
    const { status, headers, body } = await respond(work, options)
    // What is left of a refused body must not be taken for the next request on this connection.
    context.set({ ...headers, ...(req.complete ? {} : { connection: 'close' }) })
    context.body = body
    context.status = status
  }
}
