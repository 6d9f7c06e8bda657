import type { MessagingClient } from '@msgctl/client'
import { type Credentials, describeSource, type Target } from '../config/target.ts'
import { CliError } from '../errors/cli-error.ts'
import { exitCodes } from '../errors/exit-codes.ts'
import { version } from '../version.ts'
import { dryRunTransport, type HeldRequest, nodeTransport, tellingTransport } from './transport.ts'

/** The one thing a request carries: a key or a person's token. */
export type Credential = { readonly apiKey: string } | { readonly token: string }

/** How to reach a service. */
export interface Connection {
  readonly baseUrl: string
  /** Undefined for requests that need no key. */
  readonly credential: Credential | undefined
  /** How long one request may take. */
  readonly timeoutMs: number
  /** Ends whatever is under way when the person presses Ctrl-C. */
  readonly signal: AbortSignal
  /** Told of each change that the service has made. */
  readonly changed?: (() => void) | undefined
  /** Told the first change, which is then not sent: a dry run. */
  readonly hold?: ((request: HeldRequest) => void) | undefined
}

/** What a call may take with all its attempts: three of them, and never less than the client's own default. */
const shortestDeadlineMs = 90_000
const attempts = 3

/** A client for one host. The library is loaded here, by the commands that call the service. */
export async function connect(connection: Connection): Promise<MessagingClient> {
  const { baseUrl, credential, timeoutMs, signal, changed, hold } = connection
  const { MessagingClient } = await import('@msgctl/client')
  const plain = nodeTransport({ origin: new URL(baseUrl).origin, anonymous: credential === undefined })
  return new MessagingClient({
    baseUrl,
    ...credential,
    timeoutMs,
    deadlineMs: Math.max(shortestDeadlineMs, attempts * timeoutMs),
    signal,
    // What a dry run holds back looks like a lost connection, and would be tried again.
    ...(hold ? { fetch: dryRunTransport(plain, hold), maxRetries: 0 } : { fetch: tellingTransport(plain, changed) }),
    headers: { 'user-agent': `msgctl/${version}` },
  })
}

/** The token, unless its time is over. */
export function findToken(credentials: Credentials, nowMs: number): string | undefined {
  const { token, tokenExpiresAt } = credentials
  return token !== undefined && (tokenExpiresAt === undefined || Date.parse(tokenExpiresAt) > nowMs) ? token : undefined
}

/** What calls of a target carry: its key, else the token of the person who signed in. Throws a CliError without both. */
export function selectCredential(target: Target, nowMs: number): Credential {
  const { credentials, baseUrl, credentialsFrom } = target
  if (credentials.apiKey !== undefined) return { apiKey: credentials.apiKey }
  const token = findToken(credentials, nowMs)
  if (token !== undefined) return { token }
  const where = credentialsFrom === undefined ? `for ${baseUrl}` : `in ${describeSource(credentialsFrom)}`
  const message = credentials.token === undefined ? `There is no key ${where}.` : `The sign-in ${where} has ended.`
  const advice = `Run msgctl login --base-url ${baseUrl}`
  throw new CliError(message, { code: 'NOT_SIGNED_IN', exitCode: exitCodes.auth, advice })
}
