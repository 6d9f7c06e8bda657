import { version } from './generated/version.ts'
import type { CallHooks, Logger } from './hooks/observe.ts'
import type { Transport } from './transport.ts'

/**
 * A key or token, or a function that returns it. The function is called before each attempt and may be asynchronous.
 */
export type Credential = string | (() => string | Promise<string>)

/** The options of a client. Times are in milliseconds. */
export interface ClientOptions {
  /** An account key or a per-number key, sent as X-API-Key (default: MSG_API_KEY, unless `token` is set). */
  readonly apiKey?: Credential | undefined
  /** The token of a signed-in user instead of a key, sent as a bearer token. */
  readonly token?: Credential | undefined
  /** The address of the API; /api/v1 is added where it is missing (default: MSG_BASE_URL). */
  readonly baseUrl?: string | undefined
  /** Added to `baseUrl` instead of /api/v1, where a gateway serves the API elsewhere: an empty text or a path. */
  readonly basePath?: string | undefined
  /** The timeout of one attempt, until its response is complete (default: 30,000). */
  readonly timeoutMs?: number | undefined
  /** The timeout of a call with all its attempts and waits (default: 90,000). */
  readonly deadlineMs?: number | undefined
  /** Attempts after the first (default: 2). */
  readonly maxRetries?: number | undefined
  /** With a longer Retry-After the error is thrown at once (default: 30,000). */
  readonly maxRetryAfterMs?: number | undefined
  /**
   * `auto` (default) sends an Idempotency-Key with every call that takes one, and retries a call of unknown outcome
   * only after the host has echoed a key. `trusted` assumes from the first call that the host honours keys. `off` sends
   * no keys except your own.
   */
  readonly idempotency?: 'auto' | 'trusted' | 'off' | undefined
  /** Replaces the global `fetch`; {@link Transport} lists what it must do. */
  readonly fetch?: Transport | undefined
  /** Additional headers of every request. They never replace a header that the client sets. */
  readonly headers?: HeaderFields | undefined
  /** Ends every call and stream of this client. */
  readonly signal?: AbortSignal | undefined
  /** Functions that are called before and after each attempt, and before each wait. */
  readonly hooks?: CallHooks | undefined
  /** Gets one line for each attempt, such as `console`: `debug` for a success, `warn` for a failure. */
  readonly logger?: Logger | undefined
  /**
   * Adds URLs and bodies to hooks and log lines: phone numbers and message texts (default: false). Keys are never
   * added.
   */
  readonly logBodies?: boolean | undefined
}

/** Headers by name. An undefined value leaves the header out. */
export type HeaderFields = Readonly<Record<string, string | undefined>>

/** {@link ClientOptions} with defaults applied and values checked. */
export interface Settings {
  readonly baseUrl: string
  /** Returns the headers with the key or token; a promise only if it comes from a function. */
  credentials(): Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>
  readonly headers: Readonly<Record<string, string>>
  readonly timeoutMs: number
  readonly deadlineMs: number
  readonly maxRetries: number
  readonly maxRetryAfterMs: number
  readonly idempotency: 'auto' | 'trusted' | 'off'
  readonly transport: Transport
  readonly signal: AbortSignal | undefined
  readonly hooks: CallHooks
  readonly logger: Logger | undefined
  readonly logBodies: boolean
  /** Removes the key and the token from a text of a response or transport. */
  redact(text: string): string
}

/** The longest delay of a timer. */
const maxTimerMs = 2 ** 31 - 1

function environment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } }
  return process?.env?.[name]?.trim() || undefined
}

/** Returns the header that shows operators which version calls, where a program may set it: not in a browser. */
function userAgent(): Record<string, string> {
  const { process } = globalThis as { process?: { versions?: { node?: string } } }
  return process?.versions?.node ? { 'user-agent': `msgctl-client/${version}` } : {}
}

/** Checks a secret. The error messages name the option and never show its value. */
function secret(name: string, value: string | undefined): string {
  const text = value?.trim()
  if (!text) throw new TypeError(`${name} is empty.`)
  if (!/^[\x21-\x7e]+$/.test(text)) {
    throw new TypeError(`${name} has a character that is not allowed in a header.`)
  }
  return text
}

function address(value: string | undefined, basePath: string | undefined): string {
  if (value === undefined) {
    throw new TypeError('baseUrl is missing: pass it, or set MSG_BASE_URL.')
  }
  let url: URL | undefined
  try {
    url = new URL(value.trim())
  } catch {}
  const extra = url && url.username + url.password + url.search + url.hash
  if (!url || !/^https?:$/.test(url.protocol) || extra)
    throw new TypeError('baseUrl must be https:// or http:// with a host, and no user, password, query or fragment.')
  let base = url.href
  while (base.endsWith('/')) base = base.slice(0, -1)
  if (basePath === undefined) return /\/api\/v\d$/.test(base) ? base : `${base}/api/v1`
  if (!/^(\/[\w.~/-]*[\w.~-])?$/.test(basePath)) throw new TypeError('basePath must be empty or a path such as /v1.')
  return base + basePath
}

/** Returns a time in milliseconds. Throws a TypeError that names the option when it is out of range. */
export function milliseconds(name: string, value: number): number {
  if (value > 0 && value <= maxTimerMs) return value
  throw new TypeError(`${name} must be a number of milliseconds from 1 to ${maxTimerMs}.`)
}

/** Returns headers with names in lower case. Throws a TypeError that names an invalid header, not its value. */
export function headersFrom(headers: HeaderFields | undefined): Record<string, string> {
  const checked: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers ?? {})) {
    if (value === undefined) continue
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) throw new TypeError('headers has an invalid header name.')
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) throw new TypeError(`The header ${name} has a forbidden character.`)
    checked[name.toLowerCase()] = value
  }
  return checked
}

/** The most attempts after the first. */
export const maxRetriesLimit = 10

/** Returns a whole number. Throws a TypeError that names the option when it is out of range. */
export function whole(name: string, value: number, maximum: number): number {
  if (Number.isInteger(value) && value >= 0 && value <= maximum) return value
  throw new TypeError(`${name} must be a whole number from 0 to ${maximum}.`)
}

function idempotencyFrom(value: NonNullable<ClientOptions['idempotency']>): Settings['idempotency'] {
  if (/^(auto|trusted|off)$/.test(value)) return value
  throw new TypeError('idempotency must be auto, trusted or off.')
}

/** Removes secrets from texts. Learns the results of functions as they come. */
class Redactor {
  readonly #secrets = new Set<string>()

  add(value: string): string {
    this.#secrets.add(value)
    return value
  }

  redact = (text: string): string =>
    [...this.#secrets].reduce((rest, each) => rest.replaceAll(each, '[redacted]'), text)
}

/** Returns a function that makes the headers of the key or token. A text is checked at once, a result when it comes. */
function credentialsFrom({ apiKey, token }: ClientOptions, redactor: Redactor): Settings['credentials'] {
  if (token !== undefined && apiKey !== undefined) throw new TypeError('Pass apiKey or token, not both.')
  const [name, given] =
    token === undefined ? (['apiKey', apiKey ?? environment('MSG_API_KEY')] as const) : (['token', token] as const)
  const headers = (value: string | undefined) => {
    const text = redactor.add(secret(name, value))
    return name === 'token' ? { authorization: `Bearer ${text}` } : { 'x-api-key': text }
  }
  if (typeof given === 'function') return async () => headers(await given())
  const fixed = given === undefined ? {} : headers(given)
  return () => fixed
}

/** Returns the settings of a client. Throws a TypeError that names the invalid option. */
export function settingsFrom(options: ClientOptions): Settings {
  const redactor = new Redactor()
  const credentials = credentialsFrom(options, redactor)
  const headers = { ...userAgent(), ...headersFrom(options.headers) }
  for (const name of ['authorization', 'cookie']) if (headers[name]) redactor.add(headers[name])
  const transport = options.fetch
  if (typeof (transport ?? globalThis.fetch) !== 'function') {
    throw new TypeError('This runtime has no global fetch: pass one as the option fetch.')
  }
  return {
    baseUrl: address(options.baseUrl ?? environment('MSG_BASE_URL'), options.basePath),
    credentials,
    headers,
    timeoutMs: milliseconds('timeoutMs', options.timeoutMs ?? 30_000),
    deadlineMs: milliseconds('deadlineMs', options.deadlineMs ?? 90_000),
    maxRetries: whole('maxRetries', options.maxRetries ?? 2, maxRetriesLimit),
    maxRetryAfterMs: whole('maxRetryAfterMs', options.maxRetryAfterMs ?? 30_000, maxTimerMs),
    idempotency: idempotencyFrom(options.idempotency ?? 'auto'),
    // Reads the global fetch at each call, so that a later replacement (tracing, tests) is used.
    transport: transport ?? ((url, request) => globalThis.fetch(url, request as RequestInit)),
    signal: options.signal,
    hooks: options.hooks ?? {},
    logger: options.logger,
    logBodies: options.logBodies ?? false,
    redact: redactor.redact,
  }
}
