import type { MessagingClient } from '@msgctl/client'
import { messageStatuses } from '@msgctl/contract/states'
import { type Command, Option } from 'commander'
import type { Context } from '../../context.ts'
import type { Column } from '../../output/columns.ts'
import { type ListOptions, listOptions, listRows } from '../../output/paging.ts'
import { addVerb, type Run } from '../../program.ts'
import { registerChanges } from './message-changes.ts'

/** What people see of one message. */
export const messageColumns: readonly Column[] = [
  { field: 'id', title: 'Message' },
  { field: 'status', title: 'Status' },
  { field: 'recipient', title: 'To' },
  { field: 'content', title: 'Text', long: true },
  { field: 'type', title: 'Type' },
  { field: 'priority', title: 'Priority' },
  { field: 'containerId', title: 'Number' },
  { field: 'clientReference', title: 'Reference' },
  { field: 'error', title: 'Error' },
  { field: 'attempts', title: 'Attempts' },
  { field: 'createdAt', title: 'Created' },
  { field: 'sentAt', title: 'Sent' },
  { field: 'deliveredAt', title: 'Delivered' },
  { field: 'readAt', title: 'Read' },
]

const listed = ['createdAt', 'status', 'recipient', 'content', 'id']
const listColumns = listed.flatMap((field) => messageColumns.filter((column) => column.field === field))

const stepColumns: readonly Column[] = [
  { field: 'at', title: 'When' },
  { field: 'step', title: 'Step' },
  { field: 'detail', title: 'Detail' },
]

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

async function show(context: Context, id: string): Promise<void> {
  const client = await context.client()
  const { message, timeline } = await client.messages.get({ id })
  const { print } = context
  if (print.format !== 'table') return print.record({ ...message, timeline }, messageColumns)
  await print.record(message, messageColumns)
  if (context.options.fields !== undefined) return
  await print.text('\n')
  await print.list(timeline, stepColumns)
}

export function register(messages: Command, run: Run): void {
  listOptions(
    addVerb(
      messages,
      'list',
      'list messages, newest first',
      'msgctl messages list --status failed',
      'msgctl messages list --search 5550100 --limit 10',
      'msgctl messages list --all --output csv > messages.csv',
    )
      .addOption(new Option('--type <type>', 'only this type').choices(['alert', 'bulk', 'otp']))
      .addOption(new Option('--status <status>', 'only this status').choices(messageStatuses))
      .option('--search <text>', 'part of the recipient or of the text'),
  ).action(run(list))

  addVerb(
    messages,
    'show <id>',
    'show one message and what happened to it',
    'msgctl messages show 0190c1d2-7a3b-7c4d-8e5f-60718293a4b5',
    'msgctl messages show 0190c1d2-7a3b-7c4d-8e5f-60718293a4b5 --json --fields status,timeline',
  ).action(run(show))

  registerChanges(messages, run)
}
