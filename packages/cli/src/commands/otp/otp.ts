import { limits } from '@msgctl/contract/limits'
import type { Context } from '../../context.ts'
import { usageFailure } from '../../errors/exit-codes.ts'
import { idempotencyOption, noteReplay, validateKey } from '../../http/idempotency.ts'
import { wholeFrom } from '../../input/duration.ts'
import { requireId } from '../../input/id-prefix.ts'
import { askText } from '../../input/prompt.ts'
import { readLine } from '../../input/read-input.ts'
import { readPhone } from '../../input/written-phone.ts'
import { type Column, defineColumns } from '../../output/columns.ts'
import { verb, verbs } from '../../program.ts'
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
  const client = await context.client()
  const input = {
    phone,
    length: length === undefined ? undefined : digitsFrom(length),
    template,
    clientReference: reference,
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

const verifiedColumns = defineColumns('verified, phone')

/** Above the 8 digits of a code, so that the service checks the length. */
const maxCodeBytes = 64

async function verify(context: Context, reference: string, typed: string | undefined): Promise<void> {
  const requestId = requireId(reference, 'msgctl otp send prints the id of the request.')
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
  return askText(host, 'Code', '', 'Pass the code after the request id, or - to read it from stdin.')
}

const columns: readonly Column[] = ['day', 'sent', 'delivered', 'verified', 'expired', 'failed', 'limited'].map(
  (field) => ({ field, title: `${field[0]?.toUpperCase()}${field.slice(1)}` }),
)

async function stats(context: Context, { days }: { readonly days?: string }): Promise<void> {
  const count = wholeFrom(days ?? String(limits.otp.statsDays), '--days', 1, limits.statsDays)
  const client = await context.client()
  const counted = await client.otp.stats({ days: count }, { signal: context.host.signal })
  await context.print.list(counted.days, columns)
}

export const register = verbs(
  verb(
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
  ),
  verb('verify <request> [code]', 'verify a code; prompts for it if missing, - reads it from stdin', verify, [
    'msgctl otp verify 0190c1d2-7a3b-7c4d-8e5f-60718293a4b5',
    'msgctl otp verify 0190c1d2-7a3b-7c4d-8e5f-60718293a4b5 048213',
  ]),
  verb(
    'stats',
    'count codes by UTC day: sent, verified, expired, refused by a limit',
    stats,
    ['msgctl otp stats', 'msgctl otp stats --days 31 --output csv'],
    (command) =>
      command.option('--days <count>', `how many days, up to ${limits.statsDays} (default: ${limits.otp.statsDays})`),
  ),
)
