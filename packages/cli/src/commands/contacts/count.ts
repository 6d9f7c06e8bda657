import type { Context } from '../../context.ts'
import type { Column } from '../../output/columns.ts'
import { verb } from '../../program.ts'

const countColumns: readonly Column[] = [
  { field: 'count', title: 'Contacts' },
  { field: 'importing', title: 'Importing' },
  { field: 'historyImportedAt', title: 'History imported' },
]

async function count(context: Context): Promise<void> {
  const client = await context.client()
  const { success: _always, ...counted } = await client.contacts.count()
  await context.print.record(counted, countColumns)
}

/** `contacts count`. */
export const countVerb = verb('count', 'show the number of contacts', count, ['msgctl contacts count'])
