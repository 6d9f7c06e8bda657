import { WebhookVerificationError } from '../error.ts'
import type { KnownKind } from '../events.ts'
import { createHandler, type EventHandlers, type HandlerOptions, type WebhookHandler } from '../handler.ts'
import { headerValue, type WebhookHeaders } from '../headers.ts'
import { type AdapterOptions, type AdapterResponse, respond } from '../respond.ts'
import { remedies } from './remedies.ts'
import { checkSecrets } from './secret-check.ts'

/** What every adapter is made of. */
export interface Adapter<Context> {
  readonly handle: WebhookHandler<Context>
  /** Runs a task for a delivery and returns the response. Never rejects. */
  respond(task: () => Promise<unknown>): Promise<AdapterResponse>
}

/** The names of handlers; the type requires exactly the kinds that this package knows. */
const kinds: Readonly<Record<KnownKind | '*', true>> = {
  '*': true,
  'message.inbound': true,
  'message.sent': true,
  'message.delivered': true,
  'message.read': true,
  'message.failed': true,
  'poll.vote': true,
  'session.needs_scan': true,
  'session.disconnected': true,
  'session.recovered': true,
  'bot.needs_review': true,
  'bot.handoff': true,
  'commerce.order': true,
  'campaign.completed': true,
  'campaign.failed': true,
  'number.warning': true,
}

/** Adds the age to the message of a refused timestamp. */
function explainAge(error: WebhookVerificationError, headers: WebhookHeaders, now: () => number = Date.now): void {
  if (!error.reason.startsWith('timestamp_')) return
  const timestamp = Number(/\bt=(\d+)/.exec(headerValue(headers, 'x-service-signature') ?? '')?.[1])
  const age = Math.floor(now() / 1000) - timestamp
  error.message = `t is ${Math.abs(age)} s ${age < 0 ? 'ahead of' : 'behind'} this clock.`
}

/**
 * Checks secret, options and the names of handlers, and creates what an adapter needs.
 *
 * @throws WebhookVerificationError malformed_secret, with what is wrong; TypeError for an invalid option
 */
export function openAdapter<Context>(
  handlers: EventHandlers<Context>,
  options: HandlerOptions<Context> & AdapterOptions,
): Adapter<Context> {
  if (typeof options.secret !== 'function') checkSecrets(options.secret)
  const { toleranceSeconds = 300 } = options
  if (!Number.isFinite(toleranceSeconds) || toleranceSeconds < 1 || toleranceSeconds > 86_400)
    throw new TypeError('toleranceSeconds must be a number from 1 to 86400 (default: 300).')
  const log = options.log ?? ((line: string) => console.error(line))
  const say = (line: string) => {
    if (log !== false) log(`webhook-verifier: ${line}`)
  }
  for (const name of Object.keys(handlers)) {
    if (!Object.hasOwn(kinds, name))
      say(
        `there is no event ${name} in this version; its handler may never run. Events: ` +
          `${Object.keys(kinds).join(', ')}.`,
      )
  }
  const logged = new Set<string>()
  /** Logs the first refusal of each reason: anyone can send invalid requests, and they must not fill the log. */
  const refused = (error: WebhookVerificationError, status: number) => {
    if (options.onError || logged.has(error.reason)) return
    logged.add(error.reason)
    say(`refused a delivery with ${status} ${error.reason}: ${error.message} ${remedies[error.reason]} (Logged once.)`)
  }
  const handle = createHandler(handlers, options)
  return {
    async handle(rawBody, headers, ...context) {
      try {
        return await handle(rawBody, headers, ...context)
      } catch (error) {
        if (error instanceof WebhookVerificationError) explainAge(error, headers, options.now)
        throw error
      }
    },
    respond: (task) => respond(task, options, refused),
  }
}
