import type { MessagingError } from '@msgctl/client'
import { refusedChangeHint } from './payment-hint.ts'

/** What the user can do about an error. The first entry whose code and route fit counts. */
interface Advice {
  readonly code: string
  /** The routes that it is about, as `POST /alert/send`; any route without it. */
  readonly route?: RegExp
  /** A text of the message that it is about. */
  readonly message?: RegExp
  readonly text: string
}

/** Advice that the service's message contains is not repeated. */
const advice: readonly Advice[] = [
  { code: 'AUTH_ERROR', route: /^\w+ \/auth\//, text: 'Check the e-mail and the password.' },
  {
    code: 'AUTH_ERROR',
    message: /session token/,
    text: 'Sign in again with msgctl login --email you@example.com; msgctl config explain shows the source.',
  },
  {
    code: 'AUTH_ERROR',
    text: 'Check the source of the key with msgctl config explain, or store another with msgctl login.',
  },
  { code: 'USER_REQUIRED', text: 'Sign in with msgctl login --email you@example.com; an API key is not enough.' },
  { code: 'NUMBER_KEY_SCOPE', text: 'The key belongs to one number. Use the account key.' },
  { code: 'ROLE_FORBIDDEN', text: 'Ask an owner or admin of the organization.' },
  {
    code: 'ADMIN_ONLY',
    message: /staff/,
    text: 'Switch to an organization of the staff: msgctl org switch. On your own server, msgctl-server admin add.',
  },
  {
    code: 'TWO_FACTOR_REQUIRED',
    message: /staff/,
    text: 'Turn them on with msgctl auth two-factor setup, or sign in again with msgctl login.',
  },
  { code: 'PAYMENT_NOT_CONFIGURED', text: 'On your own server, PAYMENTS turns payments on.' },
  {
    code: 'PAYMENT_NO_SUBSCRIPTION',
    text: 'See msgctl billing prices, then buy with msgctl billing checkout.',
  },
  { code: 'PAYMENT_PERIOD_UNAVAILABLE', text: 'msgctl billing prices shows what is offered for which period.' },
  { code: 'INVOICE_NOT_AVAILABLE', text: 'List the invoices with: msgctl billing invoices' },
  { code: 'NOT_OWNER', text: 'Ask the owner: msgctl org show' },
  { code: 'LAST_ORGANIZATION', route: /delete$/, text: 'Add --account to delete your account too.' },
  { code: 'PRODUCT_REQUIRED', text: 'List the products with: msgctl account me' },
  { code: 'NO_ACTIVE_PRODUCT', text: 'List the products with: msgctl account me' },
  {
    code: 'NO_SESSION_CONFIGURED',
    message: /is held/,
    text: 'msgctl messages queue shows what is held. Then: msgctl numbers release NUMBER --send, or --discard.',
  },
  { code: 'NO_SESSION_CONFIGURED', text: 'See msgctl numbers list, then msgctl numbers link or msgctl numbers start.' },
  { code: 'SESSION_NOT_CONNECTED', text: 'msgctl numbers status shows what to do.' },
  { code: 'GATEWAY_SESSION_ERROR', text: 'msgctl numbers status shows what to do.' },
  {
    code: 'NUMBER_LIMIT_REACHED',
    text:
      'Remove a number you no longer need with msgctl numbers remove. On your own server, msgctl-server org ' +
      'extra-numbers allows more.',
  },
  { code: 'CONTAINER_NOT_FOUND', text: 'List the numbers with: msgctl numbers list' },
  { code: 'CONFLICT', message: /Idempotency-Key/i, text: 'Pass another --idempotency-key, or omit it.' },
  {
    code: 'CONFLICT',
    route: /\/generate-key$/,
    text: 'To replace the key, run msgctl keys rotate. The old one stops working immediately.',
  },
  {
    code: 'VALIDATION_ERROR',
    message: /strictVariables/,
    text: 'Add the values, or pass --allow-missing to leave them empty.',
  },
  {
    code: 'VALIDATION_ERROR',
    route: /\/me\/webhook/,
    message: /must be a public address/,
    text:
      'For a receiver on this machine: msgctl events tail --forward-to URL. On your own server, ' +
      'ALLOW_PRIVATE_TARGETS allows private addresses.',
  },
  {
    code: 'VALIDATION_ERROR',
    message: /must be a public address/,
    text: 'On your own server, ALLOW_PRIVATE_TARGETS allows private addresses.',
  },
  { code: 'FORBIDDEN_ACTION', message: /webhook/i, text: 'Set an address with: msgctl webhook set URL' },
  { code: 'NOT_FOUND', route: /\/reminders\//, text: 'List the reminders with: msgctl reminders list' },
  { code: 'MESSAGE_NOT_FOUND', text: 'List the messages with: msgctl messages list' },
  {
    code: 'MEDIA_DOWNLOAD_FAILED',
    text: 'Open the link in a browser without signing in: the service must be able to fetch the file in the same way.',
  },
  {
    code: 'INVALID_RESPONSE',
    text: 'Check that the address is that of the API (msgctl config explain), such as https://example.com/api/v1.',
  },
  { code: 'REDIRECTED', text: 'Log in again with the final address.' },
  {
    code: 'CONNECTION_FAILED',
    message: /DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_/,
    text:
      'The certificate is of an authority that this machine does not know. If it is your own, set ' +
      'NODE_EXTRA_CA_CERTS to the file of its certificate (PEM).',
  },
  {
    code: 'CONNECTION_FAILED',
    message: /CERT_|ERR_TLS_/,
    text: 'Ask the operator for a valid certificate that names this host, or correct the address.',
  },
  {
    code: 'CONNECTION_FAILED',
    message: /wrong version number/,
    text: 'This port does not speak TLS. Use the address of https, or http:// where nothing else reads the network.',
  },
  {
    code: 'CONNECTION_FAILED',
    text: 'Check that the service is running and the address is correct (msgctl config explain).',
  },
  { code: 'TIMEOUT', text: 'Try again, or increase the timeout: msgctl config set timeout 60.' },
]

/** The command that shows a change, by the first segment of its path. */
const listCommands: Readonly<Record<string, string>> = {
  alert: 'msgctl messages list',
  otp: 'msgctl messages list',
  bulk: 'msgctl campaigns list',
  reminders: 'msgctl reminders list',
  session: 'msgctl numbers list',
  events: 'msgctl webhook deliveries',
  billing: 'msgctl billing refresh',
  admin: 'msgctl admin activity',
}

/** Returns the advice for a change with an unknown outcome; `endpoint` is like `POST /alert/send`. */
export function unknownOutcomeHint(endpoint: string | undefined): string {
  const command = listCommands[endpoint?.split('/')[1] ?? '']
  return `The change may have been made. Check before you repeat it${command === undefined ? '.' : `: ${command}`}`
}

/** Returns when to try again, unless the message says it. */
function waitHint(retryAfterMs: number | undefined, message: string): string | undefined {
  if (retryAfterMs === undefined || /try again in/i.test(message)) return undefined
  return `Try again in ${Math.ceil(retryAfterMs / 1000)} s.`
}

/** Returns what the user can do about `error`, or undefined. */
export function findHint(error: MessagingError): string | undefined {
  const { code, details, endpoint = '', message, outcome, retryAfterMs } = error
  if (code === 'PAYMENT_CHANGE_REFUSED') return refusedChangeHint(details)
  if (code === 'PAYMENT_UNAVAILABLE') return 'See what happened with: msgctl billing refresh'
  if (outcome === 'unknown') return unknownOutcomeHint(endpoint)
  const found = advice.find(
    (one) => one.code === code && (one.route?.test(endpoint) ?? true) && (one.message?.test(message) ?? true),
  )
  return waitHint(retryAfterMs, message) ?? found?.text
}
