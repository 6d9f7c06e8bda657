import type { ClientOptions, MessagingClient } from '@msgctl/client'
import type { AdminClient } from '@msgctl/client/admin'
import { type Credentials, describeSource, type Source, type Target } from '../config/target.ts'
import { CliError } from '../errors/cli-error.ts'
import { exitCodes, usageFailure } from '../errors/exit-codes.ts'
import { version } from '../host.ts'
import {
  besideApiTransport,
  changeObservingTransport,
  clockObservingTransport,
  dryRunTransport,
  type HeldRequest,
  nodeTransport,
  tracingTransport,
} from './transport.ts'

/** The credential of a request: a key or a user's token. */
export type Credential = { readonly apiKey: string } | { readonly token: string }

/** How to reach a service. */
export interface Connection {
  readonly baseUrl: string
  /** Undefined for requests without credentials. */
  readonly credential: Credential | undefined
  /** The timeout of one request. */
  readonly timeoutMs: number
  /** Aborts requests on Ctrl-C. */
  readonly signal: AbortSignal
  /** Called after each successful change. */
  readonly changed?: (() => void) | undefined
  /** Set for a dry run: receives the first change, which is not sent. */
  readonly hold?: ((request: HeldRequest) => void) | undefined
  /** Whether the paths stand beside the API at the root of the address, as those of the simulator do. */
  readonly besideApi?: true
  /** Called for a plan to send later where the clock of this machine is this many milliseconds ahead. */
  readonly clockDiffers?: ((aheadMs: number) => void) | undefined
  /** Set by --verbose: receives a line for each request. */
  readonly trace?: ((line: string) => void) | undefined
}

/** The deadline of a call with all its attempts: three timeouts, and at least the client's default. */
const shortestDeadlineMs = 90_000
const attempts = 3

/** Returns a client for one host. The client library is loaded here, so that only commands that need it load it. */
export async function connect(connection: Connection): Promise<MessagingClient> {
  const { MessagingClient } = await import('@msgctl/client')
  return new MessagingClient(clientOptions(connection))
}

/** Returns a client for the routes of people and organizations of one host. */
export async function connectAdmin(connection: Connection): Promise<AdminClient> {
  const { AdminClient } = await import('@msgctl/client/admin')
  return new AdminClient(clientOptions(connection))
}

function clientOptions({
  baseUrl,
  credential,
  timeoutMs,
  signal,
  changed,
  hold,
  trace,
  clockDiffers,
  besideApi,
}: Connection): ClientOptions {
  const direct = nodeTransport({ origin: new URL(baseUrl).origin, anonymous: credential === undefined })
  const traced = trace ? tracingTransport(direct, trace) : direct
  const timed = clockDiffers ? clockObservingTransport(traced, clockDiffers) : traced
  const plain = besideApi ? besideApiTransport(timed) : timed
  return {
    baseUrl,
    ...credential,
    timeoutMs,
    deadlineMs: Math.max(shortestDeadlineMs, attempts * timeoutMs),
    signal,
    // A request that a dry run rejects looks like a lost connection, which the client would retry.
    ...(hold
      ? { fetch: dryRunTransport(plain, hold), maxRetries: 0 }
      : { fetch: changeObservingTransport(plain, changed) }),
    headers: { 'user-agent': `msgctl/${version}` },
  }
}

/** Returns the token unless it has expired. */
export function findToken(credentials: Credentials, nowMs: number): string | undefined {
  const { token, tokenExpiresAt } = credentials
  return token !== undefined && (tokenExpiresAt === undefined || Date.parse(tokenExpiresAt) > nowMs) ? token : undefined
}

/** Throws a usage error for a key that no header can carry, such as one with a blank. */
function requireKey(apiKey: string, from: Source | undefined): string {
  if (/^[\x21-\x7e]+$/.test(apiKey)) return apiKey
  const where = from === undefined ? '' : ` of ${describeSource(from)}`
  throw usageFailure(
    `The key${where} has a blank, or another character that no key has.`,
    'Set the key alone, without Bearer and without quotes. A key begins with msk_ or msn_.',
  )
}

/** Returns the key of a target, else the token of the signed-in user. Throws a CliError if it has neither. */
export function selectCredential(target: Target, nowMs: number): Credential {
  const { credentials, baseUrl, credentialsFrom } = target
  if (credentials.apiKey !== undefined) return { apiKey: requireKey(credentials.apiKey, credentialsFrom) }
  const token = findToken(credentials, nowMs)
  if (token !== undefined) return { token }
  const where = credentialsFrom === undefined ? `for ${baseUrl}` : `in ${describeSource(credentialsFrom)}`
  const message = credentials.token === undefined ? `No key is stored ${where}.` : `The sign-in ${where} has expired.`
  const advice = `Run msgctl login --base-url ${baseUrl}`
  throw new CliError(message, { code: 'NOT_SIGNED_IN', exitCode: exitCodes.auth, advice })
}
