import type { AdminClient } from '@msgctl/client/admin'
import { Option } from 'commander'
import type { Context } from '../../context.ts'
import { defineColumns } from '../../output/columns.ts'
import { type ListOptions, listOptions, listRows } from '../../output/paging.ts'
import { subNoun, verb } from '../../program.ts'
import { resolveBotId, resolvePartId } from './reference.ts'

const columns = defineColumns(
  'lastAt as Last, contactPhone as With, state, lang as Language, personUntil, id as Conversation',
)

const turnColumns = defineColumns(
  'at',
  { field: 'question', title: 'Question', long: true },
  'kind',
  { field: 'said', title: 'Said', long: true },
  { field: 'score', title: 'Score', show: (score) => (typeof score === 'number' ? score.toFixed(2) : '-') },
)

interface Filters extends ListOptions {
  readonly state?: 'assistant' | 'person' | 'ordering'
}

async function list(context: Context, reference: string, { state, ...paging }: Filters): Promise<void> {
  const client = await context.admin()
  const input = { botId: await resolveBotId(client, reference), ...(state && { state }) }
  const rows = listRows(context, paging, client.bots.conversations, input)
  await context.print.list(rows, columns, 'There are no conversations.')
}

async function resolveConversation(context: Context, client: AdminClient, bot: string, reference: string) {
  const botId = await resolveBotId(client, bot)
  return { botId, conversationId: await resolvePartId(context, client, 'conversations', botId, reference) }
}

async function show(context: Context, bot: string, reference: string): Promise<void> {
  const client = await context.admin()
  const chosen = await resolveConversation(context, client, bot, reference)
  const { turns } = await client.bots.conversation(chosen)
  await context.print.list(turns, turnColumns, 'Nothing was asked yet.')
}

async function takeOver(context: Context, bot: string, reference: string): Promise<void> {
  const client = await context.admin()
  const chosen = await resolveConversation(context, client, bot, reference)
  await context.print.record((await client.bots.takeOver(chosen)).conversation, columns)
}

async function giveBack(context: Context, bot: string, reference: string): Promise<void> {
  const client = await context.admin()
  const chosen = await resolveConversation(context, client, bot, reference)
  await context.print.record((await client.bots.giveBack(chosen)).conversation, columns)
}

const example = '0190c1d2-7a3b-7c4d-8e5f-60718293a4b5'

/** `bots conversations`. */
export const conversationsVerbs = subNoun(
  'conversations',
  'read conversations and take them over',
  verb('list <bot>', 'list conversations', list, ['msgctl bots conversations list Desk --state person'], (command) =>
    listOptions(command).addOption(
      new Option('--state <state>', 'show only this state').choices(['assistant', 'person', 'ordering']),
    ),
  ),
  verb('show <bot> <conversation>', 'show what was asked, and what the assistant did', show, [
    `msgctl bots conversations show Desk ${example}`,
  ]),
  verb('take-over <bot> <conversation>', 'silence the assistant in a conversation', takeOver, [
    `msgctl bots conversations take-over Desk ${example}`,
  ]),
  verb('give-back <bot> <conversation>', 'give a conversation back to the assistant', giveBack, [
    `msgctl bots conversations give-back Desk ${example}`,
  ]),
)
