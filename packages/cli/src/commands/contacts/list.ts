import type { Context } from '../../context.ts'
import { type ListOptions, listOptions, listRows } from '../../output/paging.ts'
import { verb } from '../../program.ts'
import { columns } from './columns.ts'

interface ContactListOptions extends ListOptions {
  readonly saved?: boolean
  readonly optedOut?: boolean
}

async function list(context: Context, given: ContactListOptions): Promise<void> {
  const client = await context.client()
  const options = { signal: context.host.signal }
  const { saved, optedOut } = given
  const kind = { ...(saved !== undefined && { saved }), ...(optedOut !== undefined && { optedOut }) }
  const rows = listRows(context, given, {
    all: (limit) => client.contacts.list.all({ ...kind, limit }, options),
    page: async (page, limit) => (await client.contacts.list({ ...kind, page, limit }, options)).contacts,
  })
  await context.print.list(rows, columns, 'No contacts found.')
}

/** `contacts list`. */
export const listVerb = verb(
  'list',
  'list contacts, the saved ones first, by name',
  list,
  ['msgctl contacts list --saved', 'msgctl contacts list --no-opted-out --all --output csv --fields name,phone'],
  (command) =>
    listOptions(
      command
        .option('--saved', 'only those in the address book of a number')
        .option('--no-saved', 'only those in no address book')
        .option('--opted-out', 'only those who refuse campaigns')
        .option('--no-opted-out', 'only those who get campaigns'),
    ),
)
