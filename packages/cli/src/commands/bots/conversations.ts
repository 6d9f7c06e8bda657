import { type Command, Option } from 'commander'
import type { Context } from '../../context.ts'
import type { Column } from '../../output/columns.ts'
import { type ListOptions, listOptions, listRows } from '../../output/paging.ts'
import { addVerb, type Run } from '../../program.ts'
import { resolveBotId } from './reference.ts'

const columns: readonly Column[] = [
  { field: 'lastAt', title: 'Last' },
  { field: 'contactPhone', title: 'With' },
  { field: 'state', title: 'State' },
  { field: 'lang', title: 'Language' },
  { field: 'personUntil', title: 'Person until' },
  { field: 'id', title: 'Conversation' },
]

const turnColumns: readonly Column[] = [
  { field: 'at', title: 'At' },
  { field: 'question', title: 'Question', long: true },
  { field: 'kind', title: 'Kind' },
  { field: 'said', title: 'Said', long: true },
  { field: 'score', title: 'Score', show: (score) => (typeof score === 'number' ? score.toFixed(2) : '-') },
]

interface Filters extends ListOptions {
  readonly state?: 'assistant' | 'person' | 'ordering'
}

async function list(context: Context, reference: string, { state, ...paging }: Filters): Promise<void> {
  const client = await context.admin()
  const input = { botId: await resolveBotId(client, reference), ...(state && { state }) }
  const options = { signal: context.host.signal }
  const rows = listRows(context, paging, {
    all: (limit) => client.bots.conversations.all({ ...input, limit }, options),
    page: async (page, limit) => (await client.bots.conversations({ ...input, page, limit }, options)).conversations,
  })
  await context.print.list(rows, columns, 'There are no conversations.')
}

async function show(context: Context, reference: string, conversationId: string): Promise<void> {
  const client = await context.admin()
  const botId = await resolveBotId(client, reference)
  const { turns } = await client.bots.conversation({ botId, conversationId })
  await context.print.list(turns, turnColumns, 'Nothing was asked yet.')
}

async function takeOver(context: Context, reference: string, conversationId: string): Promise<void> {
  const client = await context.admin()
  const botId = await resolveBotId(client, reference)
  await context.print.record((await client.bots.takeOver({ botId, conversationId })).conversation, columns)
}

async function giveBack(context: Context, reference: string, conversationId: string): Promise<void> {
  const client = await context.admin()
  const botId = await resolveBotId(client, reference)
  await context.print.record((await client.bots.giveBack({ botId, conversationId })).conversation, columns)
}

const example = '0190c1d2-7a3b-7c4d-8e5f-60718293a4b5'

/** Adds `bots conversations`. */
export function registerConversations(bots: Command, run: Run): void {
  const conversations = bots.command('conversations').description('read conversations and take them over')
  listOptions(
    addVerb(conversations, 'list <bot>', 'list conversations', 'msgctl bots conversations list Desk --state person'),
  )
    .addOption(new Option('--state <state>', 'show only this state').choices(['assistant', 'person', 'ordering']))
    .action(run(list))
  addVerb(
    conversations,
    'show <bot> <conversation>',
    'show what was asked, and what the assistant did',
    `msgctl bots conversations show Desk ${example}`,
  ).action(run(show))
  addVerb(
    conversations,
    'take-over <bot> <conversation>',
    'silence the assistant in a conversation',
    `msgctl bots conversations take-over Desk ${example}`,
  ).action(run(takeOver))
  addVerb(
    conversations,
    'give-back <bot> <conversation>',
    'give a conversation back to the assistant',
    `msgctl bots conversations give-back Desk ${example}`,
  ).action(run(giveBack))
}
