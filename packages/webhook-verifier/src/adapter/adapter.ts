import { type RefusalReason, WebhookVerificationError } from '../error.ts'
import type { KnownKind } from '../events.ts'
import { createHandler, type EventHandlers, type HandlerOptions, type WebhookHandler } from '../handler.ts'
import { headerValue, type WebhookHeaders } from '../headers.ts'
import { type AdapterOptions, type AdapterResponse, respond } from '../respond.ts'

const form = /^whsec_[\da-fA-F]{64}$/

/** Returns what is wrong with a text that is no signing secret. The text itself is never shown. */
function describe(secret: unknown): string {
  if (secret === undefined || secret === null || secret === '')
    return 'The secret is empty. Is WEBHOOK_SECRET set? Show it with: msgctl webhook show --show-secret'
  if (typeof secret !== 'string')
    return `The secret must be a text, a list of texts or a function, not ${typeof secret}.`
  const trimmed = secret.trim()
  if (trimmed !== secret && form.test(trimmed))
    return 'The secret has white space around it, often a newline at the end of a file. Remove it.'
  if (/^["'].*["']$/s.test(trimmed) && form.test(trimmed.slice(1, -1)))
    return 'The secret has quotation marks around it. Remove them.'
  if (/^ms[kn]_/.test(trimmed))
    return 'This is an API key, not the signing secret. The signing secret begins with whsec_.'
  if (/^whsec_.*(\.\.\.|…|\*)/.test(trimmed))
    return 'This is the masked beginning of a secret. Show all of it with: msgctl webhook show --show-secret'
  if (/^whsec_[\w+/=-]{24,}$/.test(trimmed) && !/^whsec_[\da-f]*$/i.test(trimmed))
    return 'This looks like the signing secret of another service: after whsec_ there must be 64 hex characters.'
  if (trimmed.startsWith('whsec_'))
    return (
      'The secret is incomplete or too long: after whsec_ there must be 64 hex characters, not ' +
      `${trimmed.length - 6}.`
    )
  return 'The secret must be whsec_ and 64 hex characters. Show it with: msgctl webhook show --show-secret'
}

function malformed(message: string): WebhookVerificationError {
  return Object.assign(new WebhookVerificationError('malformed_secret'), { message })
}

/**
 * Checks one secret or several before any delivery arrives.
 *
 * @throws WebhookVerificationError malformed_secret, with what is wrong and never with the secret
 */
function checkSecrets(secrets: unknown): void {
  const list = Array.isArray(secrets) ? secrets : [secrets]
  if (list.length === 0) throw malformed('The list of secrets is empty.')
  for (const secret of list) {
    if (typeof secret !== 'string' || !form.test(secret)) throw malformed(describe(secret))
  }
}

/**
 * What to do about each refusal, for the log of the receiver. Adapters carry these texts, so that the core stays small.
 */
const remedies: Readonly<Record<RefusalReason, string>> = {
  missing_header: 'The request is not from the service, or a proxy removes its headers.',
  unsigned:
    'The service has no encryption keys. Set SECRETS_KEYS there, or pass allowUnsigned if anyone may send events.',
  malformed_header: 'The request is not from the service, or a proxy changes its headers.',
  duplicate_timestamp: 'The request is not from the service, or a proxy joins headers.',
  malformed_timestamp: 'The request is not from the service.',
  timestamp_too_old: 'Check the clock of this machine, and that nothing holds requests back.',
  timestamp_too_new: 'Check the clock of this machine: it is behind.',
  no_matching_signature:
    'Either the secret is another one (compare it with msgctl webhook show --show-secret; each endpoint has ' +
    'its own), or the body was changed on its way: by a body parser, or by a proxy ' +
    'that unpacks or reformats it.',
  malformed_secret: 'Copy the secret from msgctl webhook show --show-secret.',
  raw_body_required: 'Something read the body before this adapter: put it in front of body parsers.',
  body_too_large: 'Events are smaller; raise maxBodyBytes only for another sender.',
  body_incomplete: 'The connection ended early; the service sends the event again.',
  invalid_json: 'The signature is valid: this is a bug of the sender.',
  invalid_event: 'The signature is valid: this is a bug of the sender.',
}

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
