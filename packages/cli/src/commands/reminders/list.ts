import { reminderStatuses } from '@msgctl/contract/states'
import { Option } from 'commander'
import type { Context } from '../../context.ts'
import type { Column } from '../../output/columns.ts'
import { type ListOptions, listOptions, listRows } from '../../output/paging.ts'
import { verb, verbs } from '../../program.ts'
import { columns } from './fields.ts'
import { resolveReminderId } from './reference.ts'

const listed = ['sendAt', 'status', 'repeat', 'phone', 'message', 'label', 'lastError', 'id']
const spare = new Set(['repeat', 'label', 'lastError'])

const listColumns: readonly Column[] = listed.flatMap((field) =>
  columns
    .filter((column) => column.field === field)
    .map((column) => ({ ...column, exact: true as const, ...(spare.has(field) && { spare: true as const }) })),
)

interface Filters extends ListOptions {
  readonly status?: (typeof reminderStatuses)[number]
  readonly search?: string
}

async function list(context: Context, { status, search, ...paging }: Filters): Promise<void> {
  const client = await context.client()
  const input = { ...(status && { status }), ...(search !== undefined && { search }) }
  const found = listRows(context, paging, client.reminders.list, input)
  await context.print.list(found, listColumns, 'No reminders found.')
}

async function show(context: Context, reference: string): Promise<void> {
  const client = await context.client()
  const { signal } = context.host
  const id = await resolveReminderId(client, reference, signal)
  const { reminder } = await client.reminders.get({ id }, { signal })
  await context.print.record(reminder, columns)
}

/** `reminders list|show`. */
export const listVerbs = verbs(
  verb(
    'list',
    'list reminders, upcoming ones first',
    list,
    ['msgctl reminders list --status scheduled', 'msgctl reminders list --search "dentist" --json'],
    (command) =>
      listOptions(
        command
          .addOption(new Option('--status <status>', 'show only this status').choices(reminderStatuses))
          .option('--search <text>', 'search part of the phone or label'),
      ),
  ),
  verb('show <id>', 'show one reminder with its text', show, [
    'msgctl reminders show 0190c1d2-7a3b-7c4d-8e5f-60718293a4b5',
  ]),
)
