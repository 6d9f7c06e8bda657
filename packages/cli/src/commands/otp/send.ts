import type { Context } from '../../context.ts'
import { usageFailure } from '../../errors/exit-codes.ts'
import { idempotencyOption, noteReplay, validateKey } from '../../http/idempotency.ts'
import { readPhone } from '../../input/written-phone.ts'
import { defineColumns } from '../../output/columns.ts'
import { verb } from '../../program.ts'
import { optionalContainerId } from '../numbers/reference.ts'

interface SendOptions {
  readonly template?: string
  readonly length?: string
  readonly from?: string
  readonly reference?: string
  readonly idempotencyKey?: string
}

const sentColumns = defineColumns('requestId as Request, phone as To, expiresAt as Valid until')

function digitsFrom(length: string): number {
  if (/^\d{1,3}$/.test(length)) return Number(length)
  throw usageFailure('--length must be a number of digits from 4 to 8.')
}

async function send(context: Context, to: string, options: SendOptions): Promise<void> {
  const phone = await readPhone(context, to)
  const { template, length, reference } = options
  const idempotencyKey = validateKey(options.idempotencyKey)
  const digits = length === undefined ? {} : { length: digitsFrom(length) }
  const client = await context.client()
  const input = {
    phone,
    ...digits,
    ...(template !== undefined && { template }),
    ...(reference !== undefined && { clientReference: reference }),
    ...(await optionalContainerId(client, options.from)),
  }
  const { data, response } = await client.otp.send.withResponse(input, {
    idempotencyKey,
    signal: context.host.signal,
  })
  noteReplay(context, response)
  const { success: _always, ...sent } = data
  await context.print.record(sent, sentColumns)
}

/** `otp send`. */
export const sendVerb = verb(
  'send <phone>',
  'send a one-time code, valid for 5 minutes and 3 attempts',
  send,
  [
    'msgctl otp send +12025550100',
    'msgctl otp send +12025550100 --length 4 --template "{{code}} is your code for {{expiry}} minutes"',
  ],
  (command) =>
    command
      .option('--template <text>', 'text with {{code}} and optionally {{expiry}}')
      .option('--length <digits>', 'number of digits, 4 to 8 (default: 6)')
      .option('--from <number>', 'send through this number: id, label or phone')
      .option('--reference <text>', 'your own reference, included in messages and events')
      .option(...idempotencyOption),
)
