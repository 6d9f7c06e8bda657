import { endpointTraits } from '@msgctl/contract/traits'
import type { FlatInput } from './address.ts'
import { locate } from './address.ts'
import type { Abortable, Clock } from './clock.ts'
import { eitherOf } from './either-signal.ts'
import { invalidInput } from './error.ts'
import { type HeaderFields, headersFrom, maxRetriesLimit, milliseconds, type Settings, whole } from './settings.ts'

type Traits = ReturnType<typeof endpointTraits>

/** The options of every call. */
export interface CallOptions {
  /** Ends the call with code ABORTED, also between attempts. */
  readonly signal?: AbortSignal | undefined
  /** The timeout of one attempt, in milliseconds. */
  readonly timeoutMs?: number | undefined
  /** The timeout of this call with all its attempts and waits, in milliseconds. */
  readonly deadlineMs?: number | undefined
  /** Attempts after the first, up to 10. */
  readonly maxRetries?: number | undefined
  /** Additional headers of this call. They never replace a header that the client sets. */
  readonly headers?: HeaderFields | undefined
}

/** The options of a call that takes an Idempotency-Key. */
export interface SendOptions extends CallOptions {
  /**
   * Your own idempotency key, 1 to 255 of `A-Z a-z 0-9 . _ : -`. For 24 hours, calls with the same key and input are
   * sent once, also from different processes. Default: a new key for each call.
   */
  readonly idempotencyKey?: string | undefined
}

/** The state of a client that all its calls share. */
export interface Core {
  readonly settings: Settings
  readonly clock: Clock
  /** Whether the host has echoed an Idempotency-Key, which shows that it honours them. */
  honoursKeys: boolean
}

/** A call that is ready to be sent. */
export interface Prepared {
  readonly endpoint: string
  readonly metadata: Traits
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | Blob | undefined
  readonly idempotencyKey: string | undefined
  readonly timeoutMs: number
  readonly deadlineMs: number
  readonly maxRetries: number
  readonly signal: Abortable | undefined
}

function selectKey(settings: Settings, metadata: Traits, explicitKey: string | undefined): string | undefined {
  if (explicitKey === undefined)
    return metadata.idempotent && settings.idempotency !== 'off' ? crypto.randomUUID() : undefined
  if (/^[A-Za-z0-9._:-]{1,255}$/.test(explicitKey)) return explicitKey
  throw invalidInput('idempotencyKey must be 1 to 255 of the characters A-Z a-z 0-9 . _ : -')
}

/** Builds a request from settings, input and options. Throws a TypeError that names the invalid field. */
export function prepare(settings: Settings, endpoint: string, input: FlatInput, options: SendOptions): Prepared {
  const metadata = endpointTraits(endpoint)
  const { method, path, body } = locate(endpoint, input)
  const idempotencyKey = selectKey(settings, metadata, options.idempotencyKey)
  return {
    endpoint,
    metadata,
    url: settings.baseUrl + path,
    method,
    headers: {
      ...settings.headers,
      ...headersFrom(options.headers),
      accept: metadata.stream ? 'text/event-stream' : 'application/json',
      ...(body === undefined
        ? {}
        : { 'content-type': typeof body === 'string' ? 'application/json' : 'application/octet-stream' }),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    },
    body,
    idempotencyKey,
    timeoutMs:
      options.timeoutMs === undefined
        ? Math.max(settings.timeoutMs, metadata.timeoutMs ?? 0)
        : milliseconds('timeoutMs', options.timeoutMs),
    // The timeout of a call can be longer than the deadline of the client.
    deadlineMs:
      options.deadlineMs === undefined
        ? Math.max(settings.deadlineMs, options.timeoutMs ?? 0)
        : milliseconds('deadlineMs', options.deadlineMs),
    maxRetries:
      options.maxRetries === undefined ? settings.maxRetries : whole('maxRetries', options.maxRetries, maxRetriesLimit),
    signal: eitherOf(settings.signal, options.signal),
  }
}

/** The names of options. No field of an input has one of them. */
const optionNames = [
  'signal',
  'timeoutMs',
  'deadlineMs',
  'maxRetries',
  'headers',
  'idempotencyKey',
  'idleTimeoutMs',
  'onReconnect',
] as const satisfies readonly (keyof SendOptions | 'idleTimeoutMs' | 'onReconnect')[]

/**
 * Throws a TypeError with code INVALID_INPUT when options were passed as the input, where they would travel to the
 * service and have no effect.
 */
export function requireNoOptions(endpoint: string, input: FlatInput): void {
  const name = optionNames.find((option) => Object.hasOwn(input, option))
  if (name === undefined) return
  throw invalidInput(`${endpoint}: ${name} is an option. Options are the second argument: call({}, { ${name} }).`)
}
