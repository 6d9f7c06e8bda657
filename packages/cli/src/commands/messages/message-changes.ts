import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { checkedKey, idempotencyOption, noteReplay } from '../../http/idempotency.ts'
import { readText } from '../../input/read-input.ts'
import { addVerb, type Run } from '../../program.ts'
import { optionalContainerId } from '../numbers/number-reference.ts'

interface ForwardOptions {
  readonly from?: string
  readonly reference?: string
  readonly idempotencyKey?: string
}

const editedColumns = [
  { field: 'messageId', title: 'Message' },
  { field: 'editedAt', title: 'Edited' },
  { field: 'containerId', title: 'Number' },
]
const deletedColumns = [
  { field: 'messageId', title: 'Message' },
  { field: 'deletedAt', title: 'Deleted' },
]
const cancelledColumns = [
  { field: 'messageId', title: 'Message' },
  { field: 'status', title: 'Status' },
]
const forwardedColumns = [
  { field: 'messageId', title: 'Message' },
  { field: 'gatewayMessageId', title: 'Network id' },
  { field: 'containerId', title: 'Number' },
]

function withoutSuccess<T extends { readonly success: true }>({ success: _always, ...rest }: T): Omit<T, 'success'> {
  return rest
}

async function edit(context: Context, messageId: string, text: string, options: { caption?: true }): Promise<void> {
  const client = await context.client()
  const words = await readText(context.host, text)
  const field = options.caption ? { caption: words } : { message: words }
  await context.print.record(withoutSuccess(await client.alert.edit({ messageId, ...field })), editedColumns)
}

async function remove(context: Context, messageId: string): Promise<void> {
  const client = await context.client()
  await context.confirm(`Take the message ${messageId} off the recipient's phone?`)
  await context.print.record(withoutSuccess(await client.alert.delete({ messageId })), deletedColumns)
}

async function cancel(context: Context, messageId: string): Promise<void> {
  const client = await context.client()
  await context.print.record(withoutSuccess(await client.alert.cancel({ messageId })), cancelledColumns)
}

async function forward(context: Context, messageId: string, phone: string, options: ForwardOptions): Promise<void> {
  const idempotencyKey = checkedKey(options.idempotencyKey)
  const client = await context.client()
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

/** Adds the verbs of `messages` that change or repeat one. */
export function registerChanges(messages: Command, run: Run): void {
  addVerb(
    messages,
    'edit <id> <text>',
    'change the text of a message sent within the last 15 minutes; - reads it from stdin',
    'msgctl messages edit 0190c1d2-7a3b-7c4d-8e5f-60718293a4b5 "At noon, not at one"',
    'msgctl messages edit 0190c1d2-7a3b-7c4d-8e5f-60718293a4b5 "Our new menu" --caption',
  )
    .option('--caption', 'it is the caption of a photo, video or file')
    .action(run(edit))

  addVerb(
    messages,
    'delete <id>',
    'take a message sent within the last 60 hours off the phone',
    'msgctl messages delete 0190c1d2-7a3b-7c4d-8e5f-60718293a4b5 --yes',
  ).action(run(remove))

  addVerb(
    messages,
    'forward <id> <phone>',
    'forward a sent message to another person',
    'msgctl messages forward 0190c1d2-7a3b-7c4d-8e5f-60718293a4b5 +12025550100',
  )
    .option('--from <number>', 'only if this number sent it: its id, label or phone')
    .option('--reference <text>', 'your own reference, echoed in messages and events')
    .option(...idempotencyOption('send'))
    .action(run(forward))

  addVerb(
    messages,
    'cancel <id>',
    'take back a message that still waits in the queue',
    'msgctl messages cancel 0190c1d2-7a3b-7c4d-8e5f-60718293a4b5',
  ).action(run(cancel))
}
