import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { usageFailure } from '../../errors/exit-codes.ts'
import { checkedKey, idempotencyOption, noteReplay } from '../../http/idempotency.ts'
import { askText } from '../../input/prompt.ts'
import { readLine } from '../../input/read-input.ts'
import { addVerb, type Run } from '../../program.ts'
import { optionalContainerId } from '../numbers/number-reference.ts'

interface SendOptions {
  readonly template?: string
  readonly length?: string
  readonly from?: string
  readonly reference?: string
  readonly idempotencyKey?: string
}

const sentColumns = [
  { field: 'requestId', title: 'Request' },
  { field: 'phone', title: 'To' },
  { field: 'expiresAt', title: 'Works until' },
]
const verifiedColumns = [
  { field: 'verified', title: 'Verified' },
  { field: 'phone', title: 'Phone' },
]

/** A code has 8 digits at most; the service judges what is a little longer. */
const maxCodeBytes = 64

function digitsFrom(length: string): number {
  if (/^\d{1,3}$/.test(length)) return Number(length)
  throw usageFailure('--length takes a number of digits, 4 to 8.')
}

async function send(context: Context, phone: string, options: SendOptions): Promise<void> {
  const { template, length, reference } = options
  const idempotencyKey = checkedKey(options.idempotencyKey)
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

async function verify(context: Context, requestId: string, typed: string | undefined): Promise<void> {
  const code = await codeFrom(context, typed)
  const client = await context.client()
  const { success: _always, ...verified } = await client.otp.verify(
    { requestId, code },
    { signal: context.host.signal },
  )
  await context.print.record(verified, verifiedColumns)
}

function codeFrom({ host }: Context, typed: string | undefined): Promise<string> {
  if (typed === '-') return readLine(host, maxCodeBytes)
  if (typed !== undefined) return Promise.resolve(typed)
  return askText(host, 'The code that came', '', 'Give the code behind the request, or - to read it from stdin.')
}

export function register(otp: Command, run: Run): void {
  addVerb(
    otp,
    'send <phone>',
    'send a one-time code that works for 5 minutes and 3 tries',
    'msgctl otp send +12025550100',
    'msgctl otp send +12025550100 --length 4 --template "{{code}} is your code for {{expiry}} minutes"',
  )
    .option('--template <text>', 'text with {{code}} and, if wanted, {{expiry}}')
    .option('--length <digits>', 'digits of the code, 4 to 8; 6 unless told')
    .option('--from <number>', 'send through this number: its id, label or phone')
    .option('--reference <text>', 'your own reference, echoed in messages and events')
    .option(...idempotencyOption('send'))
    .action(run(send))
  addVerb(
    otp,
    'verify <request> [code]',
    'check a code; without one it is asked for, - reads it from stdin',
    'msgctl otp verify 0190c1d2-7a3b-7c4d-8e5f-60718293a4b5',
    'msgctl otp verify 0190c1d2-7a3b-7c4d-8e5f-60718293a4b5 048213',
  ).action(run(verify))
}
