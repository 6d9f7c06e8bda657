import { refuse } from './error.ts'
import { utf8 } from './hmac.ts'

/** A request body exactly as it was received. `Buffer` is a `Uint8Array`. */
export type RawBody = string | Uint8Array | ArrayBuffer

/** The default of `maxBodyBytes`: 1 MiB, many times the largest event. */
export const defaultMaxBodyBytes = 1_048_576

/** Returns the type tag of a value, which works across realms: `[object ArrayBuffer]`, `[object Object]`. */
export const tagOf = (value: unknown): string => Object.prototype.toString.call(value)

/**
 * Returns the bytes of a raw body. Buffers are recognized by their type tag: `instanceof` fails for those of another
 * realm (test environments, worker sandboxes).
 *
 * @throws WebhookVerificationError raw_body_required or body_too_large
 */
export function bodyBytes(rawBody: RawBody, maxBodyBytes: number): Uint8Array {
  const bytes = toBytes(rawBody)
  return bytes.length <= maxBodyBytes ? bytes : refuse('body_too_large')
}

function toBytes(rawBody: RawBody): Uint8Array {
  if (typeof rawBody === 'string') return utf8(rawBody)
  if (ArrayBuffer.isView(rawBody)) return new Uint8Array(rawBody.buffer, rawBody.byteOffset, rawBody.byteLength)
  if (tagOf(rawBody) === '[object ArrayBuffer]') return new Uint8Array(rawBody)
  return refuse('raw_body_required')
}
