import type { Context } from '../../context.ts'
import { defineColumns } from '../../output/columns.ts'
import { type ListOptions, listOptions, listRows } from '../../output/paging.ts'
import { verb } from '../../program.ts'
import { optionalContainerId } from './reference.ts'

const historyColumns = defineColumns('at as When, from, to, source, reason, message as Meaning')

async function history(context: Context, number: string | undefined, paging: ListOptions): Promise<void> {
  const client = await context.client()
  const chosen = await optionalContainerId(client, number)
  const rows = listRows(context, paging, client.numbers.history, chosen)
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
