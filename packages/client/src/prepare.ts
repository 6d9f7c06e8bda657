import { endpointTraits } from '@msgctl/contract/traits'
import { type FlatInput, locate } from './address.ts'
import type { Abortable, Clock } from './clock.ts'
import { invalidInput } from './error.ts'
import { type HeaderFields, headersFrom, maxRetriesLimit, milliseconds, type Settings, whole } from './settings.ts'

/**
 * Joins two signals: the result is aborted as soon as one of them is. It keeps references to both. `AbortSignal.any`
 * would hold them weakly and lose an `AbortSignal.timeout` without other references.
 */
function eitherOf(one: Abortable | undefined, other: Abortable | undefined): Abortable | undefined {
  if (!one || !other || one === other) return one ?? other
  const both = [one, other]
  const first = () => both.find(({ aborted }) => aborted)
  return {
    get aborted() {
      return first() !== undefined
    },
    get reason() {
      return first()?.reason
    },
    addEventListener(type, listener) {
      for (const signal of both) signal.addEventListener(type, listener)
    },
    removeEventListener(type, listener) {
      for (const signal of both) signal.removeEventListener(type, listener)
    },
  }
}

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
  readonly body: string | ArrayBuffer | Blob | undefined
  readonly idempotencyKey: string | undefined
  /** Whether the caller chose the key, which means that the service takes keys. */
  readonly ownKey: boolean
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
    ownKey: options.idempotencyKey !== undefined,
    timeoutMs: milliseconds('timeoutMs', options.timeoutMs ?? Math.max(settings.timeoutMs, metadata.timeoutMs ?? 0)),
    // The timeout of a call can be longer than the deadline of the client.
    deadlineMs: milliseconds('deadlineMs', options.deadlineMs ?? Math.max(settings.deadlineMs, options.timeoutMs ?? 0)),
    maxRetries: whole('maxRetries', options.maxRetries ?? settings.maxRetries, maxRetriesLimit),
    signal: eitherOf(settings.signal, options.signal),
  }
}

/**
 * Returns the input with what the client adds. `fields` are the names that the call takes, with a blank between them.
 * Throws a TypeError with code INVALID_INPUT for any other name: it would travel to the service and have no effect.
 * Placeholders without a value are refused unless the caller allows them.
 */
export function requireFields(endpoint: string, fields: string, input: FlatInput): FlatInput {
  const known = fields.split(' ')
  const unknown = Object.keys(input).find((name) => !known.includes(name))
  if (unknown !== undefined) {
    const hint = /^(signal|timeoutMs|deadlineMs|maxRetries|headers|idempotencyKey|idleTimeoutMs|onReconnect)$/.test(
      unknown,
    )
      ? `is an option. Options are the second argument: call({}, { ${unknown} }).`
      : `is not a field of this call. It takes: ${fields.replaceAll(' ', ', ') || 'nothing'}.`
    throw invalidInput(`${endpoint}: ${unknown} ${hint}`)
  }
  const given = input.template ?? input.message ?? input.variables ?? input.recipients
  return known.includes('strictVariables') && given !== undefined && !endpointTraits(endpoint).reads
    ? { ...input, strictVariables: input.strictVariables ?? true }
    : input
}
