import type { MessagingClient } from '@msgctl/client'
import { messageStatuses } from '@msgctl/contract/states'
import { Option } from 'commander'
import type { Context } from '../../context.ts'
import { pastTime } from '../../input/duration.ts'
import { type ListOptions, listOptions, listRows } from '../../output/paging.ts'
import { verb } from '../../program.ts'
import { optionalContainerId } from '../numbers/reference.ts'
import { messageColumns } from './columns.ts'

const listed = ['createdAt', 'status', 'recipient', 'content', 'id']

const listColumns = listed.flatMap((field) => messageColumns.filter((column) => column.field === field))

interface Filters extends ListOptions {
  readonly type?: 'alert' | 'bulk' | 'otp'
  readonly status?: (typeof messageStatuses)[number]
  readonly search?: string
  readonly since?: string
  readonly until?: string
  readonly number?: string
  readonly campaign?: string
  readonly reference?: string
}

type Input = Parameters<MessagingClient['messages']['list']['all']>[0]

async function toInput({ host }: Context, client: MessagingClient, filters: Filters): Promise<NonNullable<Input>> {
  const { type, status, search, since, until, number, campaign, reference } = filters
  return {
    ...(type && { type }),
    ...(status && { status }),
    ...(search !== undefined && { search }),
    ...(since !== undefined && { since: pastTime(since, host.now()) }),
    ...(until !== undefined && { until: pastTime(until, host.now()) }),
    ...(campaign !== undefined && { campaignId: campaign }),
    ...(reference !== undefined && { clientReference: reference }),
    ...(await optionalContainerId(client, number)),
  }
}

async function list(context: Context, paging: Filters): Promise<void> {
  const client = await context.client()
  const input = await toInput(context, client, paging)
  const rows = listRows(context, paging, client.messages.list, input)
  await context.print.list(rows, listColumns, 'No messages found.')
}

/** `messages list`. */
export const listVerb = verb(
  'list',
  'list messages, newest first',
  list,
  [
    'msgctl messages list --status failed',
    'msgctl messages list --search 5550100 --limit 10',
    'msgctl messages list --all --output csv > messages.csv',
  ],
  (command) =>
    listOptions(
      command
        .addOption(new Option('--type <type>', 'show only this type').choices(['alert', 'bulk', 'otp']))
        .addOption(new Option('--status <status>', 'show only this status').choices(messageStatuses))
        .option('--search <text>', 'search part of the recipient or text')
        .option('--since <time>', 'show only messages from this time on, like 1h or 2026-10-01T09:00:00Z')
        .option('--until <time>', 'show only messages before this time')
        .option('--number <number>', 'show only messages of this number: id, label or phone')
        .option('--campaign <id>', 'show only messages of this campaign')
        .option('--reference <text>', 'show only messages with this reference'),
    ),
)
