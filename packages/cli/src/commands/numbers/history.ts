import type { Context } from '../../context.ts'
import type { Column } from '../../output/columns.ts'
import { type ListOptions, listOptions, listRows } from '../../output/paging.ts'
import { verb } from '../../program.ts'
import { optionalContainerId } from './reference.ts'

const historyColumns: readonly Column[] = [
  { field: 'at', title: 'When' },
  { field: 'from', title: 'From' },
  { field: 'to', title: 'To' },
  { field: 'source', title: 'Source' },
  { field: 'reason', title: 'Reason' },
  { field: 'message', title: 'Meaning' },
]

async function history(context: Context, number: string | undefined, paging: ListOptions): Promise<void> {
  const client = await context.client()
  const chosen = await optionalContainerId(client, number)
  const options = { signal: context.host.signal }
  const rows = listRows(context, paging, {
    all: (limit) => client.numbers.history.all({ ...chosen, limit }, options),
    page: async (page, limit) => (await client.numbers.history({ ...chosen, page, limit }, options)).history,
  })
  await context.print.list(rows, historyColumns, 'No status changes found.')
}

/** `numbers history`. */
export const historyVerb = verb(
  'history [number]',
  'list the status changes of a number, newest first',
  history,
  ['msgctl numbers history support', 'msgctl numbers history support --all --output csv'],
  (command) => listOptions(command),
)
