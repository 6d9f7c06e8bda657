import type { RawBody } from './body.ts'
import type { KnownEvent, KnownKind, VerifiedEvent } from './events.ts'
import type { WebhookHeaders } from './headers.ts'
import { type DuplicateStore, memoryStore, type RunOutcome, runOnce } from './run-once.ts'
import { secretList, type WebhookSecret } from './secrets.ts'
import { type VerifyOptions, verify } from './verify.ts'

/**
 * One function for each event type. `'*'` gets every event without its own function, including unknown types. The
 * second argument is the context of the delivery: what the handler or the adapter was called with.
 */
export type EventHandlers<Context = unknown> = {
  readonly [Kind in KnownKind]?: (event: KnownEvent<Kind>, context: Context) => unknown
} & {
  readonly '*'?: (event: VerifiedEvent, context: Context) => unknown
}

/** The last argument of a handler whose functions want a context; the others take none. */
export type ContextArgument<Context> = unknown extends Context ? [] : [context: Context]

/** The options of a handler. */
export interface HandlerOptions<Context = unknown> extends VerifyOptions {
  readonly secret: WebhookSecret<Context>
  /** Drops events that were handled before. Without a store every delivery runs, and an event can arrive twice. */
  readonly store?: DuplicateStore | undefined
  /**
   * Remembers the signatures of handled deliveries, so that a recorded one does not run again (default: the last
   * 100,000 in the memory of this process). For several processes, pass a store that they share, one for each endpoint.
   * Its entries are needed for twice `toleranceSeconds`.
   */
  readonly signatures?: DuplicateStore | undefined
}

/** The result of a delivery. Respond to every outcome with a 2xx, so that the service does not send it again. */
export interface HandledDelivery {
  /** `duplicate`: handled before, or by a concurrent delivery. `ignored`: there is no function for this event type. */
  readonly outcome: RunOutcome | 'ignored'
  readonly event: VerifiedEvent
}

/** Verifies one delivery and runs its function. Rejects when the delivery is invalid or the function failed. */
export type WebhookHandler<Context = unknown> = (
  rawBody: RawBody,
  headers: WebhookHeaders,
  ...context: ContextArgument<Context>
) => Promise<HandledDelivery>

/**
 * Creates a handler that verifies deliveries and runs one function for each event type.
 *
 * Wait for it before you respond to the service: after a rejection respond with 4xx or 5xx, and the service retries.
 * A delivery counts as handled only after its function has succeeded. Then its signature does not run again; every
 * retry and every replay has one of its own. With a store, retries of a handled event do not run either. Concurrent
 * deliveries of the same event share one run and its result. `X-Service-Replay: true` runs the function again.
 *
 * @throws WebhookVerificationError malformed_secret at once
 * @throws (rejects) WebhookVerificationError for an invalid delivery, and the errors of the function and the store
 */
export function createHandler<Context = unknown>(
  handlers: EventHandlers<Context>,
  options: HandlerOptions<Context>,
): WebhookHandler<Context> {
  if (typeof options.secret !== 'function') secretList(options.secret)
  const running = new Map<string, Promise<RunOutcome>>()
  const { store, signatures = memoryStore(100_000) } = options
  return async (rawBody, headers, ...given) => {
    const context = given[0] as Context
    const event = await verify(rawBody, headers, options.secret, options, context)
    const handle = handlerFor(handlers, event.event)
    const outcome = handle ? await runOnce(event, () => handle(event, context), running, signatures, store) : 'ignored'
    return { outcome, event }
  }
}

/** Reads own properties only: an event named `constructor` must not find the inherited one. */
function handlerFor<Context>(handlers: EventHandlers<Context>, kind: string): EventHandlers<Context>['*'] {
  const own = Object.hasOwn(handlers, kind) ? handlers[kind as '*'] : undefined
  return own ?? handlers['*']
}
