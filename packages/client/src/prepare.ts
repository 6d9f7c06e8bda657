import { endpointTraits } from '@msgctl/contract/traits'
import type { FlatInput } from './address.ts'
import { locate } from './address.ts'
import type { Abortable, Clock } from './clock.ts'
import { eitherOf } from './either-signal.ts'
import { invalidInput } from './error.ts'
import { type HeaderFields, headersFrom, milliseconds, type Settings } from './settings.ts'

type Traits = ReturnType<typeof endpointTraits>

/** What every call may be given beside its input. */
export interface CallOptions {
  /** Ends the call, also between attempts, with code ABORTED. */
  readonly signal?: AbortSignal | undefined
  /** How long one attempt may take, in milliseconds. */
  readonly timeoutMs?: number | undefined
  /** Sent with this call; they never replace a header the client sets itself. */
  readonly headers?: HeaderFields | undefined
}

/** What a call that takes an Idempotency-Key may be given beside its input. */
export interface SendOptions extends CallOptions {
  /**
   * Your own key, 1 to 255 of `A-Z a-z 0-9 . _ : -`. Equal keys with equal input are one send for 24 hours, also from
   * another process. Default: a new one for each call.
   */
  readonly idempotencyKey?: string | undefined
}

/** One client's parts that all its calls use. */
export interface Core {
  readonly settings: Settings
  readonly clock: Clock
  /** Whether the host has echoed an Idempotency-Key, and so is known to honour them. */
  honoursKeys: boolean
}

/** A call, ready to be attempted. */
export interface Prepared {
  readonly endpoint: string
  readonly metadata: Traits
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  readonly idempotencyKey: string | undefined
  readonly timeoutMs: number
  readonly signal: Abortable | undefined
}

function selectKey(settings: Settings, metadata: Traits, explicitKey: string | undefined): string | undefined {
  if (explicitKey === undefined)
    return metadata.idempotent && settings.idempotency !== 'off' ? crypto.randomUUID() : undefined
  if (/^[A-Za-z0-9._:-]{1,255}$/.test(explicitKey)) return explicitKey
  throw invalidInput('idempotencyKey must be 1 to 255 of the characters A-Z a-z 0-9 . _ : -')
}

/** Joins settings, input and options into a request. Throws a TypeError that names what is wrong with them. */
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
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...settings.credentials,
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    },
    body,
    idempotencyKey,
    timeoutMs:
      options.timeoutMs === undefined
        ? Math.max(settings.timeoutMs, metadata.timeoutMs ?? 0)
        : milliseconds('timeoutMs', options.timeoutMs),
    signal: eitherOf(settings.signal, options.signal),
  }
}
