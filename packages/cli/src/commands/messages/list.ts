import type { MessagingClient } from '@msgctl/client'
import { messageStatuses } from '@msgctl/contract/states'
import { type Command, Option } from 'commander'
import type { Context } from '../../context.ts'
import { type ListOptions, listOptions, listRows } from '../../output/paging.ts'
import { addVerb, type Run } from '../../program.ts'
import { messageColumns } from './columns.ts'

const listed = ['createdAt', 'status', 'recipient', 'content', 'id']

const listColumns = listed.flatMap((field) => messageColumns.filter((column) => column.field === field))

interface Filters extends ListOptions {
  readonly type?: 'alert' | 'bulk' | 'otp'
  readonly status?: (typeof messageStatuses)[number]
  readonly search?: string
}

type Input = Parameters<MessagingClient['messages']['list']['all']>[0]

async function list(context: Context, { type, status, search, ...paging }: Filters): Promise<void> {
  const client = await context.client()
  const input: Input = { ...(type && { type }), ...(status && { status }), ...(search !== undefined && { search }) }
  const options = { signal: context.host.signal }
  const rows = listRows(paging, {
    all: (limit) => client.messages.list.all({ ...input, limit }, options),
    page: async (page, limit) => (await client.messages.list({ ...input, page, limit }, options)).messages,
  })
  await context.print.list(rows, listColumns)
}

/** Adds `messages list`. */
export function registerList(messages: Command, run: Run): void {
  listOptions(
    addVerb(
      messages,
      'list',
      'list messages, newest first',
      'msgctl messages list --status failed',
      'msgctl messages list --search 5550100 --limit 10',
      'msgctl messages list --all --output csv > messages.csv',
    )
      .addOption(new Option('--type <type>', 'show only this type').choices(['alert', 'bulk', 'otp']))
      .addOption(new Option('--status <status>', 'show only this status').choices(messageStatuses))
      .option('--search <text>', 'search part of the recipient or text'),
  ).action(run(list))
}
