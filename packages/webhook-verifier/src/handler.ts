import type { RawBody } from './body.ts'
import type { KnownEvent, KnownKind, VerifiedEvent } from './events.ts'
import type { WebhookHeaders } from './headers.ts'
import { type DuplicateStore, type RunOutcome, runOnce } from './run-once.ts'
import type { WebhookSecret } from './secrets.ts'
import { type VerifyOptions, verify } from './verify.ts'

/** One function for each kind of event. `'*'` gets every event that has none of its own, unknown kinds included. */
export type EventHandlers = { readonly [Kind in KnownKind]?: (event: KnownEvent<Kind>) => unknown } & {
  readonly '*'?: (event: VerifiedEvent) => unknown
}

/** How a handler verifies, and where it remembers what it has handled. */
export interface HandlerOptions extends VerifyOptions {
  readonly secret: WebhookSecret
  /** Drops events that were handled before. Without it every delivery runs, and an event can arrive twice. */
  readonly store?: DuplicateStore | undefined
}

/** What became of a delivery. All three are answered with a 2xx, so that the service does not send it again. */
export interface HandledDelivery {
  /** `duplicate`: handled before, or by a delivery that came at the same time. `ignored`: nobody handles this kind. */
  readonly outcome: RunOutcome | 'ignored'
  readonly event: VerifiedEvent
}

/** Verifies one delivery and runs its handler; rejects when it is refused or the handler failed. */
export type WebhookHandler = (rawBody: RawBody, headers: WebhookHeaders) => Promise<HandledDelivery>

/**
 * Verifies deliveries and runs one function for each kind of event.
 *
 * The answer to the service must wait for it: a rejection is answered with a 5xx or 4xx and the service tries again.
 * With a store an event counts as handled only after its function has succeeded; deliveries of the same event that
 * come meanwhile share that one run and its result. `X-Service-Replay: true` runs it again.
 *
 * @throws (rejects) WebhookVerificationError for a refusal, and what the handler or the store throws
 */
export function createHandler(handlers: EventHandlers, options: HandlerOptions): WebhookHandler {
  const running = new Map<string, Promise<RunOutcome>>()
  return async (rawBody, headers) => {
    const event = await verify(rawBody, headers, options.secret, options)
    const handle = handlerFor(handlers, event.event)
    const outcome = handle ? await runOnce(event, () => handle(event), running, options.store) : 'ignored'
    return { outcome, event }
  }
}

/** Only own properties count: an event named `constructor` must not find the one every object has. */
function handlerFor(handlers: EventHandlers, kind: string): ((event: VerifiedEvent) => unknown) | undefined {
  const own = Object.hasOwn(handlers, kind) ? handlers[kind as '*'] : undefined
  return own ?? handlers['*']
}
