import type { MessagingError } from '@msgctl/client'

/** What the user can do about an error, by code. Advice that the service's message contains is not repeated. */
const byCode: Readonly<Record<string, string>> = {
  AUTH_ERROR: 'Check the source of the key with msgctl config explain, or store another with msgctl login.',
  USER_REQUIRED: 'Sign in with msgctl login --email you@example.com; an API key is not enough.',
  NUMBER_KEY_SCOPE: 'The key belongs to one number. Use the account key.',
  ROLE_FORBIDDEN: 'Ask an owner or admin of the organization.',
  PRODUCT_REQUIRED: 'List the products with: msgctl account me',
  NO_ACTIVE_PRODUCT: 'List the products with: msgctl account me',
  NO_SESSION_CONFIGURED: 'See msgctl numbers list, then msgctl numbers link or msgctl numbers start.',
  SESSION_NOT_CONNECTED: 'msgctl numbers status shows what to do.',
  NUMBER_LIMIT_REACHED: 'Remove a number you no longer need: msgctl numbers list, msgctl numbers remove.',
  CONTAINER_NOT_FOUND: 'List the numbers with: msgctl numbers list',
  CONFLICT: 'Check what exists already; to replace a key, run msgctl keys rotate.',
  MESSAGE_NOT_FOUND: 'List the messages with: msgctl messages list',
  GATEWAY_SESSION_ERROR: 'msgctl numbers status shows what to do.',
  REDIRECTED: 'Log in again with the final address.',
  CONNECTION_FAILED: 'Check that the service is running and the address is correct (msgctl config explain).',
  TIMEOUT: 'Try again, or increase the timeout: msgctl config set timeout 60.',
}

/** The command that shows a change, by the first segment of its path. */
const listCommands: Readonly<Record<string, string>> = {
  alert: 'msgctl messages list',
  otp: 'msgctl messages list',
  bulk: 'msgctl campaigns list',
  reminders: 'msgctl reminders list',
  session: 'msgctl numbers list',
  events: 'msgctl webhook deliveries',
}

/** Returns the advice for a change with an unknown outcome; `endpoint` is like `POST /alert/send`. */
export function unknownOutcomeHint(endpoint: string | undefined): string {
  const command = listCommands[endpoint?.split('/')[1] ?? '']
  return `The change may have been made. Check before you repeat it${command === undefined ? '.' : `: ${command}`}`
}

function waitHint(retryAfterMs: number | undefined): string | undefined {
  return retryAfterMs === undefined ? undefined : `Try again in ${Math.ceil(retryAfterMs / 1000)} s.`
}

/** Returns what the user can do about `error`, or undefined. */
export function findHint(error: MessagingError): string | undefined {
  if (error.outcome === 'unknown') return unknownOutcomeHint(error.endpoint)
  return waitHint(error.retryAfterMs) ?? byCode[error.code]
}
