import { limits } from '@msgctl/contract/limits'
import type { Context } from '../../context.ts'
import { wholeFrom } from '../../input/duration.ts'
import { defineColumns } from '../../output/columns.ts'
import { type ListOptions, listOptions, listRows, noteFull } from '../../output/paging.ts'
import { verb, verbs } from '../../program.ts'

export const columns = defineColumns('name, phone, lid as Network id, saved, optedOut, id as Contact')

async function search(context: Context, text: string, { limit }: { readonly limit?: string }): Promise<void> {
  const { max, default: usual } = limits.contactSearch
  const rows = wholeFrom(limit ?? String(usual), '--limit', 1, max)
  const client = await context.client()
  const { contacts } = await client.contacts.search({ search: text, limit: rows }, { signal: context.host.signal })
  await context.print.list(contacts, columns, 'No contacts found.')
  noteFull(context, contacts.length, { limit, usual, max, what: 'contacts' })
}

const { max, default: usual } = limits.contactSearch

interface ContactListOptions extends ListOptions {
  readonly saved?: boolean
  readonly optedOut?: boolean
}

async function list(context: Context, given: ContactListOptions): Promise<void> {
  const client = await context.client()
  const { saved, optedOut } = given
  const kind = { ...(saved !== undefined && { saved }), ...(optedOut !== undefined && { optedOut }) }
  const rows = listRows(context, given, client.contacts.list, kind)
  await context.print.list(rows, columns, 'No contacts found.')
}

const countColumns = defineColumns('count as Contacts, importing, historyImportedAt as History imported')

async function count(context: Context): Promise<void> {
  const client = await context.client()
  const { success: _always, ...counted } = await client.contacts.count()
  await context.print.record(counted, countColumns)
}

/** `contacts search|list|count`. */
export const listVerbs = verbs(
  verb(
    'search <text>',
    'search contacts by name or part of the number',
    search,
    ['msgctl contacts search Jane', 'msgctl contacts search 555 --limit 50 --output csv'],
    (command) => command.option('--limit <people>', `maximum number of contacts, up to ${max} (default: ${usual})`),
  ),
  verb(
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
  ),
  verb('count', 'show the number of contacts', count, ['msgctl contacts count']),
)
