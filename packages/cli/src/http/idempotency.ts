import type { Context } from '../context.ts'
import { usageFailure } from '../errors/exit-codes.ts'

/** Returns flag and description of the option for an Idempotency-Key, for a command that sends, plans or acts. */
export function idempotencyOption(verb: 'send' | 'plan' | 'act'): [flags: string, description: string] {
  return ['--idempotency-key <key>', `equal keys with equal input ${verb} once in 24 hours`]
}

/** The --idempotency-key as it was typed. Throws a usage failure for characters that a key does not have. */
export function checkedKey(key: string | undefined): string | undefined {
  if (key === undefined || /^[A-Za-z0-9._:-]{1,255}$/.test(key)) return key
  throw usageFailure('--idempotency-key takes 1 to 255 of the characters A-Z a-z 0-9 . _ : -')
}

/** Says it when an answer is that of an earlier call with the same key. */
export function noteReplay(context: Context, response: { readonly headers: Pick<Headers, 'get'> }): void {
  if (response.headers.get('idempotency-replayed') === 'true') {
    context.note('This idempotency key was used before: here is the first answer, and nothing was sent again.')
  }
}
