import { reminderStatuses } from '@msgctl/contract/states'
import { Option } from 'commander'
import type { Context } from '../../context.ts'
import type { Column } from '../../output/columns.ts'
import { type ListOptions, listOptions, listRows } from '../../output/paging.ts'
import { verb } from '../../program.ts'
import { columns } from './fields.ts'

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
  const options = { signal: context.host.signal }
  const found = listRows(context, paging, {
    all: (limit) => client.reminders.list.all({ ...input, limit }, options),
    page: async (page, limit) => (await client.reminders.list({ ...input, page, limit }, options)).reminders,
  })
  await context.print.list(found, listColumns, 'No reminders found.')
}

/** `reminders list`. */
export const listVerb = verb(
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
)
