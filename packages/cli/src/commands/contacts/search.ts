import { limits } from '@msgctl/contract/limits'
import type { Context } from '../../context.ts'
import { wholeFrom } from '../../input/duration.ts'
import { noteFull } from '../../output/paging.ts'
import { verb } from '../../program.ts'
import { columns } from './columns.ts'

async function search(context: Context, text: string, { limit }: { readonly limit?: string }): Promise<void> {
  const { max, default: usual } = limits.contactSearch
  const rows = wholeFrom(limit ?? String(usual), '--limit', 1, max)
  const client = await context.client()
  const { contacts } = await client.contacts.search({ search: text, limit: rows }, { signal: context.host.signal })
  await context.print.list(contacts, columns, 'No contacts found.')
  noteFull(context, contacts.length, { limit, usual, max, what: 'contacts' })
}

const { max, default: usual } = limits.contactSearch

/** `contacts search`. */
export const searchVerb = verb(
  'search <text>',
  'search contacts by name or part of the number',
  search,
  ['msgctl contacts search Jane', 'msgctl contacts search 555 --limit 50 --output csv'],
  (command) => command.option('--limit <people>', `maximum number of contacts, up to ${max} (default: ${usual})`),
)
