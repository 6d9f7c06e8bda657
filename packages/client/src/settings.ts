import type { Transport } from './transport.ts'

/** What a client is made with. Everything has a default; times are milliseconds. */
export interface ClientOptions {
  /** An account key or a number's key. Default: MSG_API_KEY, unless a token is given. Sent as X-API-Key. */
  readonly apiKey?: string | undefined
  /** The token of a signed-in user, instead of a key. Sent as a Bearer token. */
  readonly token?: string | undefined
  /** The address of the API, ending with /api/v1. Default: MSG_BASE_URL. */
  readonly baseUrl?: string | undefined
  /** How long one attempt may take until its answer is complete. Default 30,000. */
  readonly timeoutMs?: number | undefined
  /** How long a call may take with all its attempts and waits. Default 90,000. */
  readonly deadlineMs?: number | undefined
  /** Attempts after the first. Default 2. */
  readonly maxRetries?: number | undefined
  /** A Retry-After above this is thrown instead of awaited. Default 30,000. */
  readonly maxRetryAfterMs?: number | undefined
  /**
   * `auto` (default) sends an Idempotency-Key with every call that takes one, and repeats a call of unknown outcome once
   * the host has echoed a key; `trusted` takes the host's word from the first call on; `off` sends none of its own.
   */
  readonly idempotency?: 'auto' | 'trusted' | 'off' | undefined
  /** Instead of the global `fetch`: see {@link Transport} for how little it must do. */
  readonly fetch?: Transport | undefined
  /** Sent with every request; they never replace a header the client sets itself. */
  readonly headers?: HeaderFields | undefined
  /** Ends every call and stream of this client, as the signal of a single call ends that one. */
  readonly signal?: AbortSignal | undefined
}

/** Headers by name. An undefined value leaves the header out. */
export type HeaderFields = Readonly<Record<string, string | undefined>>

/** {@link ClientOptions}, checked and complete. */
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
  /** Takes the key and the token out of a text that came from outside. */
  redact(text: string): string
}

/** The longest time a timer can hold. */
const maxTimerMs = 2 ** 31 - 1

function environment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } }
  return process?.env?.[name]?.trim() || undefined
}

/** The messages name the option and never show its value: it may be a secret. */
function secret(name: 'apiKey' | 'token', value: string | undefined): string | undefined {
  const text = value?.trim()
  if (text === '') throw new TypeError(`${name} is empty.`)
  if (text !== undefined && !/^[\x21-\x7e]+$/.test(text)) {
    throw new TypeError(`${name} holds a character that cannot stand in a header.`)
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

/** A time in milliseconds, above 0. Throws a TypeError that names the option. */
export function milliseconds(name: string, value: number): number {
  if (value > 0 && value <= maxTimerMs) return value
  throw new TypeError(`${name} must be a number of milliseconds from 1 to ${maxTimerMs}.`)
}

/** Headers with names in lower case. Throws a TypeError that names the header, not its value. */
export function headersFrom(headers: HeaderFields | undefined): Record<string, string> {
  const checked: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers ?? {})) {
    if (value === undefined) continue
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) throw new TypeError('A name in headers is not the name of a header.')
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) throw new TypeError(`The header ${name} holds a forbidden character.`)
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

function redactorOf(secrets: readonly (string | undefined)[]): (text: string) => string {
  const known = secrets.filter((each) => each !== undefined && each !== '') as string[]
  return (text) => known.reduce((rest, each) => rest.replaceAll(each, '[redacted]'), text)
}

/** The settings of a client. Throws a TypeError that names the option at fault. */
export function settingsFrom(options: ClientOptions): Settings {
  const token = secret('token', options.token)
  if (token !== undefined && options.apiKey !== undefined) throw new TypeError('Give apiKey or token, not both.')
  const apiKey = token === undefined ? secret('apiKey', options.apiKey ?? environment('MSG_API_KEY')) : undefined
  const headers = headersFrom(options.headers)
  const transport = options.fetch
  if (typeof (transport ?? globalThis.fetch) !== 'function') {
    throw new TypeError('There is no global fetch here: pass one as the option fetch.')
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
    // The global one is looked up at each call, so that what replaces it later (tracing, tests) takes part.
    transport: transport ?? ((url, request) => globalThis.fetch(url, request)),
    signal: options.signal,
    redact: redactorOf([apiKey, token, headers.authorization, headers.cookie]),
  }
}
