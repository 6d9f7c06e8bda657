import type { Context } from '../../context.ts'
import { idempotencyOption, noteReplay, validateKey } from '../../http/idempotency.ts'
import { readText } from '../../input/read-input.ts'
import { readPhone } from '../../input/written-phone.ts'
import { defineColumns } from '../../output/columns.ts'
import { verb, verbs } from '../../program.ts'
import { optionalContainerId } from '../numbers/reference.ts'
import { withoutSuccess } from './columns.ts'
import { resolveMessageId } from './reference.ts'

const editedColumns = defineColumns('messageId as Message, editedAt as Edited, containerId as Number')

async function edit(context: Context, reference: string, text: string, options: { caption?: true }): Promise<void> {
  const client = await context.client()
  const messageId = await resolveMessageId(client, reference, context.host.signal)
  const newText = await readText(context.host, text)
  const field = options.caption ? { caption: newText } : { message: newText }
  await context.print.record(withoutSuccess(await client.alert.edit({ messageId, ...field })), editedColumns)
}

const deletedColumns = defineColumns('messageId as Message, deletedAt as Deleted')

async function remove(context: Context, reference: string): Promise<void> {
  const client = await context.client()
  const messageId = await resolveMessageId(client, reference, context.host.signal)
  await context.confirm(`Delete the message ${messageId} for the recipient?`)
  await context.print.record(withoutSuccess(await client.alert.delete({ messageId })), deletedColumns)
}

interface ForwardOptions {
  readonly from?: string
  readonly reference?: string
  readonly idempotencyKey?: string
}

const forwardedColumns = defineColumns('messageId as Message, gatewayMessageId as Network id, containerId as Number')

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

const cancelledColumns = defineColumns('messageId as Message, status')

async function cancel(context: Context, reference: string): Promise<void> {
  const client = await context.client()
  const messageId = await resolveMessageId(client, reference, context.host.signal)
  await context.print.record(withoutSuccess(await client.alert.cancel({ messageId })), cancelledColumns)
}

/** `messages edit|delete|forward|cancel`. */
export const changeVerbs = verbs(
  verb(
    'edit <id> <text>',
    'edit a message sent within the last 15 minutes; - reads the text from stdin',
    edit,
    [
      'msgctl messages edit 0190c1d2-7a3b-7c4d-8e5f-60718293a4b5 "At noon, not at one"',
      'msgctl messages edit 0190c1d2-7a3b-7c4d-8e5f-60718293a4b5 "Our new menu" --caption',
    ],
    (command) => command.option('--caption', 'edit the caption of a photo, video or file'),
  ),
  verb('delete <id>', 'delete a message sent within the last 60 hours for the recipient', remove, [
    'msgctl messages delete 0190c1d2-7a3b-7c4d-8e5f-60718293a4b5 --yes',
  ]),
  verb(
    'forward <id> <phone>',
    'forward a sent message to another recipient',
    forward,
    ['msgctl messages forward 0190c1d2-7a3b-7c4d-8e5f-60718293a4b5 +12025550100'],
    (command) =>
      command
        .option('--from <number>', 'forward only if this number sent it: id, label or phone')
        .option('--reference <text>', 'your own reference, included in messages and events')
        .option(...idempotencyOption),
  ),
  verb('cancel <id>', 'cancel a message that is still queued', cancel, [
    'msgctl messages cancel 0190c1d2-7a3b-7c4d-8e5f-60718293a4b5',
  ]),
)
