import type { MessagingClient } from '@msgctl/client'
import type { Context } from '../../context.ts'
import { usageFailure } from '../../errors/exit-codes.ts'
import { isLocalTime } from '../../input/moment.ts'
import { verb, verbs } from '../../program.ts'
import { allowMissingOption } from '../campaigns/plan-input.ts'
import { resolveContainerId } from '../numbers/reference.ts'
import { columns, type Fields, fieldOptions, readSendAt, toInput } from './fields.ts'
import { resolveReminderId } from './reference.ts'

interface EditOptions extends Fields {
  readonly at?: string
  readonly phone?: string
  readonly text?: string
  readonly from?: string
  readonly allowMissing?: true
}

async function edit(context: Context, reference: string, options: EditOptions): Promise<void> {
  const { at, phone, text, from } = options
  // Before a request, where no time zone matters.
  if (at !== undefined && !isLocalTime(at)) readSendAt(context, at, options)
  const changes = {
    ...toInput(options),
    ...(phone !== undefined && { phone }),
    ...(text !== undefined && { message: text }),
  }
  if (Object.keys(changes).length === 0 && at === undefined && from === undefined)
    throw usageFailure('Select something to change; see --help.')
  const client = await context.client()
  const id = await resolveReminderId(client, reference, context.host.signal)
  const containerId = from === undefined ? {} : { containerId: await resolveSender(client, from) }
  const fields = { ...changes, ...(at !== undefined && { sendAt: await inOwnZone(context, client, id, options) }) }
  // What a reminder was created with may stay, but a new text or new values must fit together.
  const isText = text !== undefined || changes.variables !== undefined
  const strict = isText ? { strictVariables: !options.allowMissing } : {}
  const { reminder } = await client.reminders.update({ id, ...fields, ...containerId, ...strict })
  await context.print.record(reminder, columns)
}

/** Reads --at: a local time is one of the reminder's own time zone, unless --time-zone gives it another one. */
async function inOwnZone(
  context: Context,
  client: MessagingClient,
  id: string,
  { at = '', timeZone }: EditOptions,
): Promise<string> {
  const own = async () => (await client.reminders.get({ id }, { signal: context.host.signal })).reminder.timeZone
  const zone = timeZone ?? (isLocalTime(at) ? await own() : null) ?? undefined
  return readSendAt(context, at, zone === undefined ? {} : { timeZone: zone })
}

async function resolveSender(client: MessagingClient, from: string): Promise<string | null> {
  return from === 'default' ? null : resolveContainerId(client, from)
}

async function cancel(context: Context, reference: string): Promise<void> {
  const client = await context.client()
  const id = await resolveReminderId(client, reference, context.host.signal)
  const { reminder } = await client.reminders.cancel({ id })
  await context.print.record(reminder, columns)
}

async function remove(context: Context, reference: string): Promise<void> {
  const client = await context.client()
  const id = await resolveReminderId(client, reference, context.host.signal)
  await context.confirm(`Delete the reminder ${id} permanently?`)
  await client.reminders.delete({ id })
  await context.print.record({ id, deleted: true }, [{ field: 'id', title: 'Deleted' }])
}

/** `reminders edit|cancel|delete`. */
export const changeVerbs = verbs(
  verb(
    'edit <id>',
    'change a reminder; --at reschedules a finished one',
    edit,
    [
      'msgctl reminders edit 0190c1d2-7a3b-7c4d-8e5f-60718293a4b5 --text "See you at 4"',
      'msgctl reminders edit 0190c1d2-7a3b-7c4d-8e5f-60718293a4b5 --at 2027-02-01T09:00:00Z',
    ],
    (command) =>
      fieldOptions(
        command
          .option('--at <time>', 'time to send: +2h, or "tomorrow 9:00" in the time zone of the reminder')
          .option('--phone <phone>', 'new recipient')
          .option('--text <text>', 'new text'),
      )
        .option('--from <number>', 'send through this number: id, label or phone; "default" selects the default number')
        .option(...allowMissingOption),
  ),
  verb('cancel <id>', 'cancel a scheduled reminder; it stays in the list', cancel, [
    'msgctl reminders cancel 0190c1d2-7a3b-7c4d-8e5f-60718293a4b5',
  ]),
  verb('delete <id>', 'delete a reminder permanently', remove, [
    'msgctl reminders delete 0190c1d2-7a3b-7c4d-8e5f-60718293a4b5 --yes',
  ]),
)
