import { createFetchHandler } from './fetch.ts'
import type { EventHandlers, HandlerOptions } from './handler.ts'
import type { AdapterOptions } from './respond.ts'

export type { AdapterOptions } from './respond.ts'

/** What is used of Hono's context. */
export interface HonoContext {
  readonly req: { readonly raw: Request }
}

/**
 * The handler of a Hono route that verifies deliveries and runs one function for each kind of event. It answers 204 when
 * a delivery is done with, 4xx when it is refused and 500 when the receiver failed; it never rejects. Nothing before it
 * may read the body.
 */
export function createHonoHandler(
  handlers: EventHandlers,
  options: HandlerOptions & AdapterOptions,
): (context: HonoContext) => Promise<Response> {
  const handle = createFetchHandler(handlers, options)
  return (context) => handle(context.req.raw)
}
