import type { Transport } from './transport.ts'

/** The options of a client. Times are in milliseconds. */
export interface ClientOptions {
  /** An account key or a per-number key, sent as X-API-Key (default: MSG_API_KEY, unless `token` is set). */
  readonly apiKey?: string | undefined
  /** The token of a signed-in user instead of a key, sent as a bearer token. */
  readonly token?: string | undefined
  /** The address of the API, ending with /api/v1 (default: MSG_BASE_URL). */
  readonly baseUrl?: string | undefined
  /** The timeout of one attempt, until its response is complete (default: 30,000). */
  readonly timeoutMs?: number | undefined
  /** The timeout of a call with all its attempts and waits (default: 90,000). */
  readonly deadlineMs?: number | undefined
  /** Attempts after the first (default: 2). */
  readonly maxRetries?: number | undefined
  /** With a longer Retry-After the error is thrown at once (default: 30,000). */
  readonly maxRetryAfterMs?: number | undefined
  /**
   * `auto` (default) sends an Idempotency-Key with every call that takes one, and retries a call of unknown outcome only
   * after the host has echoed a key. `trusted` assumes from the first call that the host honours keys. `off` sends no
   * keys except your own.
   */
  readonly idempotency?: 'auto' | 'trusted' | 'off' | undefined
  /** Replaces the global `fetch`; {@link Transport} lists what it must do. */
  readonly fetch?: Transport | undefined
  /** Additional headers of every request. They never replace a header that the client sets. */
  readonly headers?: HeaderFields | undefined
  /** Ends every call and stream of this client. */
  readonly signal?: AbortSignal | undefined
}

/** Headers by name. An undefined value leaves the header out. */
export type HeaderFields = Readonly<Record<string, string | undefined>>

/** {@link ClientOptions} with defaults applied and values checked. */
export interface Settings {
  readonly baseUrl: string
  readonly credentials: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  readonly timeoutMs: number
  readonly deadlineMs: number
  readonly maxRetries: number
  readonly maxRetryAfterMs: number
  readonly idempotency: 'auto' | 'trusted' | 'off'
  readonly transport: Transport
  readonly signal: AbortSignal | undefined
  /** Removes the key and the token from a text of a response or transport. */
  redact(text: string): string
}

/** The longest delay of a timer. */
const maxTimerMs = 2 ** 31 - 1

function environment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } }
  return process?.env?.[name]?.trim() || undefined
}

/** Checks a secret. The error messages name the option and never show its value. */
function secret(name: 'apiKey' | 'token', value: string | undefined): string | undefined {
  const text = value?.trim()
  if (text === '') throw new TypeError(`${name} is empty.`)
  if (text !== undefined && !/^[\x21-\x7e]+$/.test(text)) {
    throw new TypeError(`${name} has a character that is not allowed in a header.`)
  }
  return text
}

function address(value: string | undefined): string {
  if (value === undefined) {
    throw new TypeError('baseUrl is missing: pass it, or set MSG_BASE_URL. It ends with /api/v1.')
  }
  let url: URL
  try {
    url = new URL(value.trim())
  } catch {
    throw new TypeError('baseUrl is not an absolute URL such as https://example.com/api/v1.')
  }
  if (!/^https?:$/.test(url.protocol)) throw new TypeError('baseUrl must begin with https:// or http://.')
  if (url.username || url.password) throw new TypeError('baseUrl must not hold a user name or password.')
  if (url.search || url.hash) throw new TypeError('baseUrl must not hold a query or a fragment.')
  return url.href.replace(/\/+$/, '')
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

function whole(name: string, value: number, maximum: number): number {
  if (Number.isInteger(value) && value >= 0 && value <= maximum) return value
  throw new TypeError(`${name} must be a whole number from 0 to ${maximum}.`)
}

function idempotencyFrom(value: NonNullable<ClientOptions['idempotency']>): Settings['idempotency'] {
  if (/^(auto|trusted|off)$/.test(value)) return value
  throw new TypeError('idempotency must be auto, trusted or off.')
}

function createRedactor(secrets: readonly (string | undefined)[]): (text: string) => string {
  const known = secrets.filter((each) => each !== undefined && each !== '') as string[]
  return (text) => known.reduce((rest, each) => rest.replaceAll(each, '[redacted]'), text)
}

/** Returns the settings of a client. Throws a TypeError that names the invalid option. */
export function settingsFrom(options: ClientOptions): Settings {
  const token = secret('token', options.token)
  if (token !== undefined && options.apiKey !== undefined) throw new TypeError('Pass apiKey or token, not both.')
  const apiKey = token === undefined ? secret('apiKey', options.apiKey ?? environment('MSG_API_KEY')) : undefined
  const headers = headersFrom(options.headers)
  const transport = options.fetch
  if (typeof (transport ?? globalThis.fetch) !== 'function') {
    throw new TypeError('This runtime has no global fetch: pass one as the option fetch.')
  }
  return {
    baseUrl: address(options.baseUrl ?? environment('MSG_BASE_URL')),
    credentials: {
      ...(apiKey === undefined ? {} : { 'x-api-key': apiKey }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    headers,
    timeoutMs: milliseconds('timeoutMs', options.timeoutMs ?? 30_000),
    deadlineMs: milliseconds('deadlineMs', options.deadlineMs ?? 90_000),
    maxRetries: whole('maxRetries', options.maxRetries ?? 2, 10),
    maxRetryAfterMs: whole('maxRetryAfterMs', options.maxRetryAfterMs ?? 30_000, maxTimerMs),
    idempotency: idempotencyFrom(options.idempotency ?? 'auto'),
    // Reads the global fetch at each call, so that a later replacement (tracing, tests) is used.
    transport: transport ?? ((url, request) => globalThis.fetch(url, request)),
    signal: options.signal,
    redact: createRedactor([apiKey, token, headers.authorization, headers.cookie]),
  }
}
