import type { Context } from '../context.ts'
import { usageFailure } from '../errors/exit-codes.ts'

/** The flag and description of the option for an Idempotency-Key. */
export const idempotencyOption = [
  '--idempotency-key <key>',
  'process a repeated request with the same key and input only once within 24 hours',
] as const

/** Validates --idempotency-key. Throws a usage error for invalid characters. */
export function validateKey(key: string | undefined): string | undefined {
  if (key === undefined || /^[A-Za-z0-9._:-]{1,255}$/.test(key)) return key
  throw usageFailure('--idempotency-key must be 1 to 255 characters of A-Z a-z 0-9 . _ : -')
}

/** Adds a note when the response is the stored one of an earlier call with the same key. */
export function noteReplay(context: Context, response: { readonly headers: Pick<Headers, 'get'> }): void {
  if (response.headers.get('idempotency-replayed') === 'true') {
    context.note('This idempotency key was used before: this is the first response, and nothing was sent again.')
  }
}
