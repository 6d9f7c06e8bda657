import type { MessagingClient } from '@msgctl/client'
import { messageStatuses } from '@msgctl/contract/states'
import { type Command, Option } from 'commander'
import type { Context } from '../../context.ts'
import type { Column } from '../../output/columns.ts'
import { type ListOptions, listOptions, listRows } from '../../output/paging.ts'
import { addVerb, type Run } from '../../program.ts'
import { optionalContainerId } from '../numbers/number-reference.ts'
import { registerPlans } from './campaign-plans.ts'
import { resolveCampaignId } from './campaign-reference.ts'
import { registerWatch } from './campaign-watch.ts'

const columns: readonly Column[] = [
  { field: 'id', title: 'Campaign' },
  { field: 'status', title: 'Status' },
  { field: 'name', title: 'Name' },
  { field: 'stats.total', title: 'People' },
  { field: 'stats.sent', title: 'Sent' },
  { field: 'stats.delivered', title: 'Delivered' },
  { field: 'stats.read', title: 'Read' },
  { field: 'stats.failed', title: 'Failed' },
  { field: 'scheduledAt', title: 'Starts' },
]

const detailColumns: readonly Column[] = [
  ...columns,
  { field: 'template', title: 'Text', long: true },
  { field: 'startError', title: 'Start failed' },
  { field: 'createdAt', title: 'Created' },
  { field: 'startedAt', title: 'Started' },
  { field: 'completedAt', title: 'Completed' },
]

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

interface Through {
  readonly from?: string
}

async function list(context: Context): Promise<void> {
  const client = await context.client()
  const { campaigns } = await client.campaigns.list({}, { signal: context.host.signal })
  await context.print.list(campaigns, columns)
}

async function show(context: Context, reference: string): Promise<void> {
  const client = await context.client()
  const id = await resolveCampaignId(client, reference, context.host.signal)
  const { success: _always, ...campaign } = await client.campaigns.status({ id })
  await context.print.record(campaign, detailColumns)
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
  await context.print.list(rows, recipientColumns)
}

async function send(context: Context, reference: string, { from }: Through): Promise<void> {
  const client = await context.client()
  const id = await resolveCampaignId(client, reference, context.host.signal)
  const through = await optionalContainerId(client, from)
  await context.confirm('Start this campaign and send it to everybody on its list?')
  const { success: _always, ...started } = await client.campaigns.send({ id, ...through })
  await context.print.record(started, [
    { field: 'campaignId', title: 'Campaign' },
    { field: 'status', title: 'Status' },
    { field: 'totalRecipients', title: 'People' },
    { field: 'estimatedDuration', title: 'Takes about' },
  ])
  context.note(`Follow it with: msgctl campaigns watch ${id}`)
}

async function pause(context: Context, reference: string): Promise<void> {
  const client = await context.client()
  const id = await resolveCampaignId(client, reference, context.host.signal)
  const { success: _always, ...paused } = await client.campaigns.pause({ id })
  await context.print.record(paused, [
    { field: 'status', title: 'Status' },
    { field: 'jobsRemoved', title: 'Taken out' },
  ])
}

async function resume(context: Context, reference: string, { from }: Through): Promise<void> {
  const client = await context.client()
  const id = await resolveCampaignId(client, reference, context.host.signal)
  const through = await optionalContainerId(client, from)
  const { success: _always, ...resumed } = await client.campaigns.resume({ id, ...through })
  await context.print.record(resumed, [
    { field: 'status', title: 'Status' },
    { field: 'jobsRequeued', title: 'Queued again' },
  ])
}

async function cancel(context: Context, reference: string): Promise<void> {
  const client = await context.client()
  const id = await resolveCampaignId(client, reference, context.host.signal)
  await context.confirm('Give up this campaign for good?')
  const { success: _always, ...cancelled } = await client.campaigns.cancel({ id })
  await context.print.record(cancelled, [
    { field: 'status', title: 'Status' },
    { field: 'jobsRemoved', title: 'Taken out' },
  ])
}

async function remove(context: Context, reference: string): Promise<void> {
  const client = await context.client()
  const id = await resolveCampaignId(client, reference, context.host.signal)
  await context.confirm(`Delete the campaign ${reference} and its message history?`)
  await client.campaigns.delete({ id })
  await context.print.record({ id, deleted: true }, [{ field: 'id', title: 'Deleted' }])
}

const example = '0190c1d2-7a3b-7c4d-8e5f-60718293a4b5'
const fromOption = ['--from <number>', 'send through this number alone: its id, label or phone'] as const

export function register(campaigns: Command, run: Run): void {
  registerPlans(campaigns, run)
  addVerb(campaigns, 'list', 'list campaigns, oldest first', 'msgctl campaigns list').action(run(list))
  addVerb(
    campaigns,
    'show <campaign>',
    'show one campaign, by its id or its name',
    `msgctl campaigns show ${example}`,
    'msgctl campaigns show "May news"',
  ).action(run(show))
  listOptions(
    addVerb(
      campaigns,
      'recipients <campaign>',
      'show what became of each recipient',
      `msgctl campaigns recipients ${example} --failed --output csv`,
    )
      .addOption(new Option('--status <status>', 'only this status').choices(statuses))
      .option('--failed', 'only those whose message failed')
      .option('--search <text>', 'part of the number'),
  ).action(run(recipients))
  addVerb(campaigns, 'send <campaign>', 'start a campaign', `msgctl campaigns send ${example}`)
    .option(...fromOption)
    .action(run(send))
  registerWatch(campaigns, run)
  addVerb(campaigns, 'pause <campaign>', 'pause a campaign', `msgctl campaigns pause ${example}`).action(run(pause))
  addVerb(campaigns, 'resume <campaign>', 'go on with a paused campaign', `msgctl campaigns resume ${example}`)
    .option(...fromOption)
    .action(run(resume))
  addVerb(campaigns, 'cancel <campaign>', 'give up a campaign', `msgctl campaigns cancel ${example} --yes`).action(
    run(cancel),
  )
  addVerb(campaigns, 'delete <campaign>', 'delete a campaign', `msgctl campaigns delete ${example} --yes`).action(
    run(remove),
  )
}
