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
 * read the body before it.
 */
export function createHonoHandler(
  handlers: EventHandlers,
  options: HandlerOptions & AdapterOptions,
): (context: HonoContext) => Promise<Response> {
  const handle = createFetchHandler(handlers, options)
  return (context) => handle(context.req.raw)
}
