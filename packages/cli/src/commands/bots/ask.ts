import type { Context } from '../../context.ts'
import type { Column } from '../../output/columns.ts'
import { verb, verbs } from '../../program.ts'
import { resolveBotId } from './reference.ts'

const askColumns: readonly Column[] = [
  { field: 'kind', title: 'Would' },
  { field: 'text', title: 'Text', long: true },
  { field: 'lang', title: 'Language' },
  { field: 'by', title: 'Decided by' },
  { field: 'sources.0.score', title: 'Best score' },
  { field: 'sources.0.question', title: 'Nearest question' },
]

const usageColumns: readonly Column[] = [
  { field: 'month', title: 'Month' },
  { field: 'questions', title: 'Questions' },
  { field: 'answered', title: 'Answered' },
  { field: 'chosen', title: 'Chosen' },
  { field: 'unanswered', title: 'Unanswered' },
  { field: 'handoffs', title: 'Handed over' },
  { field: 'orders', title: 'Orders' },
  { field: 'usedUsd', title: 'Used USD' },
  { field: 'limitUsd', title: 'Of USD' },
  { field: 'renewsAt', title: 'Renewed' },
]

async function ask(context: Context, reference: string, question: string, options: { lang?: string }): Promise<void> {
  const client = await context.admin()
  const botId = await resolveBotId(client, reference)
  const { lang } = options
  await context.print.record(
    await client.bots.ask({ botId, question, ...(lang !== undefined && { lang }) }),
    askColumns,
  )
}

async function usage(context: Context): Promise<void> {
  const client = await context.admin()
  await context.print.record(await client.bots.usage({}, { signal: context.host.signal }), usageColumns)
}

/** `bots ask` and `bots usage`. */
export const askVerbs = verbs(
  verb(
    'ask <bot> <question>',
    'show what an assistant would say; nothing is sent',
    ask,
    ['msgctl bots ask Desk "when are you open"'],
    (command) => command.option('--lang <language>', 'language of the question (default: detected)'),
  ),
  verb('usage', 'show what the assistants did this month, and the AI allowance', usage, ['msgctl bots usage']),
)
