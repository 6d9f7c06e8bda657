import type { MessagingError } from '@msgctl/client'

/** What a person can do about an error, by its code. What the service says itself is not repeated. */
const byCode: Readonly<Record<string, string>> = {
  AUTH_ERROR: 'Look where the key comes from with msgctl config explain; msgctl login stores another.',
  USER_REQUIRED: 'Sign in as a person with msgctl login --email you@example.com; a key cannot do this.',
  NUMBER_KEY_SCOPE: 'The key belongs to one number. Use the account key for this.',
  ROLE_FORBIDDEN: 'Ask an owner or admin of the organization.',
  PRODUCT_REQUIRED: 'msgctl account me shows the products there are.',
  NO_SESSION_CONFIGURED: 'See msgctl numbers list, then msgctl numbers link or msgctl numbers start.',
  SESSION_NOT_CONNECTED: 'See msgctl numbers status for what the number waits for.',
  NUMBER_LIMIT_REACHED: 'Remove a number you no longer need: msgctl numbers list, msgctl numbers remove.',
  CONTAINER_NOT_FOUND: 'msgctl numbers list shows the numbers there are.',
  CONFLICT: 'See what is there already; for a key, msgctl keys rotate replaces it.',
  MESSAGE_NOT_FOUND: 'msgctl messages list shows the messages there are.',
  GATEWAY_SESSION_ERROR: 'See msgctl numbers status for what the number waits for.',
  REDIRECTED: 'Log in again with the final address.',
  CONNECTION_FAILED: 'Is the service running, and is the address right? msgctl config explain shows it.',
  TIMEOUT: 'Try again, or allow more time with msgctl config set timeout 60.',
}

/** Where a change shows, by the beginning of its path. */
const places: Readonly<Record<string, string>> = {
  alert: 'msgctl messages list',
  otp: 'msgctl messages list',
  bulk: 'msgctl campaigns list',
  reminders: 'msgctl reminders list',
  session: 'msgctl numbers list',
  events: 'msgctl webhook deliveries',
}

/** The advice after a change nobody knows the effect of; `endpoint` is like `POST /alert/send`. */
export function unknownOutcomeHint(endpoint: string | undefined): string {
  const place = places[endpoint?.split('/')[1] ?? '']
  return `It may have had its effect. Look before you repeat it${place === undefined ? '.' : `: ${place}.`}`
}

function waitHint(retryAfterMs: number | undefined): string | undefined {
  return retryAfterMs === undefined ? undefined : `Try again in ${Math.ceil(retryAfterMs / 1000)} s.`
}

/** What a person can do about `error`, or undefined when its message says it all. */
export function findHint(error: MessagingError): string | undefined {
  if (error.outcome === 'unknown') return unknownOutcomeHint(error.endpoint)
  return waitHint(error.retryAfterMs) ?? byCode[error.code]
}
