import type { MessagingClient } from '@msgctl/client'
import { messageStatuses } from '@msgctl/contract/states'
import { type Command, Option } from 'commander'
import type { Context } from '../../context.ts'
import type { Column } from '../../output/columns.ts'
import { type ListOptions, listOptions, listRows } from '../../output/paging.ts'
import { addVerb, type Run } from '../../program.ts'
import { example } from './options.ts'
import { resolveCampaignId } from './reference.ts'

const recipientColumns: readonly Column[] = [
  { field: 'phone', title: 'To' },
  { field: 'status', title: 'Status' },
  { field: 'error', title: 'Error' },
  { field: 'messageId', title: 'Message' },
  { field: 'sentAt', title: 'Sent' },
]

const statuses = ['pending', ...messageStatuses] as const

interface RecipientFilters extends ListOptions {
  readonly status?: (typeof statuses)[number]
  readonly failed?: true
  readonly search?: string
}

async function recipients(context: Context, reference: string, filters: RecipientFilters): Promise<void> {
  const { status: requestedStatus, failed, search, ...paging } = filters
  const client = await context.client()
  const id = await resolveCampaignId(client, reference, context.host.signal)
  const status = failed ? ('failed' as const) : requestedStatus
  const input: Parameters<MessagingClient['campaigns']['recipients']>[0] = {
    id,
    ...(status && { status }),
    ...(search !== undefined && { search }),
  }
  const options = { signal: context.host.signal }
  const rows = listRows(paging, {
    all: (limit) => client.campaigns.recipients.all({ ...input, limit }, options),
    page: async (page, limit) => (await client.campaigns.recipients({ ...input, page, limit }, options)).recipients,
  })
  await context.print.list(rows, recipientColumns, 'No recipients found.')
}

/** Adds `campaigns recipients`. */
export function registerRecipients(campaigns: Command, run: Run): void {
  listOptions(
    addVerb(
      campaigns,
      'recipients <campaign>',
      'list the recipients with the status of their message',
      `msgctl campaigns recipients ${example} --failed --output csv`,
    )
      .addOption(new Option('--status <status>', 'show only this status').choices(statuses))
      .option('--failed', 'show only recipients whose message failed')
      .option('--search <text>', 'search part of the phone number'),
  ).action(run(recipients))
}
