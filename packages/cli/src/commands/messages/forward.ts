import type { Context } from '../../context.ts'
import { idempotencyOption, noteReplay, validateKey } from '../../http/idempotency.ts'
import { readPhone } from '../../input/written-phone.ts'
import { verb } from '../../program.ts'
import { optionalContainerId } from '../numbers/reference.ts'
import { withoutSuccess } from './columns.ts'
import { resolveMessageId } from './reference.ts'

interface ForwardOptions {
  readonly from?: string
  readonly reference?: string
  readonly idempotencyKey?: string
}

const forwardedColumns = [
  { field: 'messageId', title: 'Message' },
  { field: 'gatewayMessageId', title: 'Network id' },
  { field: 'containerId', title: 'Number' },
]

async function forward(context: Context, reference: string, to: string, options: ForwardOptions): Promise<void> {
  const idempotencyKey = validateKey(options.idempotencyKey)
  const phone = await readPhone(context, to)
  const client = await context.client()
  const messageId = await resolveMessageId(client, reference, context.host.signal)
  const input = {
    messageId,
    phone,
    ...(options.reference !== undefined && { clientReference: options.reference }),
    ...(await optionalContainerId(client, options.from)),
  }
  const { data, response } = await client.alert.forward.withResponse(input, {
    idempotencyKey,
    signal: context.host.signal,
  })
  noteReplay(context, response)
  await context.print.record(withoutSuccess(data), forwardedColumns)
}

/** `messages forward`. */
export const forwardVerb = verb(
  'forward <id> <phone>',
  'forward a sent message to another recipient',
  forward,
  ['msgctl messages forward 0190c1d2-7a3b-7c4d-8e5f-60718293a4b5 +12025550100'],
  (command) =>
    command
      .option('--from <number>', 'forward only if this number sent it: id, label or phone')
      .option('--reference <text>', 'your own reference, included in messages and events')
      .option(...idempotencyOption),
)
