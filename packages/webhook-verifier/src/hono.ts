import { createFetchHandler } from './fetch.ts'
import type { EventHandlers, HandlerOptions } from './handler.ts'
import type { AdapterOptions } from './respond.ts'

export type { AdapterOptions } from './respond.ts'

/** The part of Hono's context that is used. */
export interface HonoContext {
  readonly req: { readonly raw: Request }
}

/**
 * Creates the handler of a Hono route that verifies deliveries and runs one function for each event type. It responds
 * with 204 to a processed delivery, 4xx to a rejected one and 500 when the receiver failed. It never rejects. Do not
 * read the body before it. These functions, and a `secret` that is a function, get Hono's context, which has `env`.
 */
export function createHonoHandler<Context extends HonoContext = HonoContext>(
  handlers: EventHandlers<Context>,
  options: HandlerOptions<Context> & AdapterOptions,
): (context: Context) => Promise<Response> {
  const handle = createFetchHandler(handlers, options) as (request: Request, context: Context) => Promise<Response>
  return (context) => handle(context.req.raw, context)
}
