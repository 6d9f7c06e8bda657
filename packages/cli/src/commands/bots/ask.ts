import type { Context } from '../../context.ts'
import { defineColumns } from '../../output/columns.ts'
import { verb, verbs } from '../../program.ts'
import { resolveBotId } from './reference.ts'

const askColumns = defineColumns(
  'kind as Would',
  { field: 'text', title: 'Text', long: true },
  'lang as Language, by as Decided by, sources.0.score as Best score, sources.0.question as Nearest question',
)

const usageColumns = defineColumns(
  'month, questions, answered, chosen, unanswered, handoffs as Handed over, orders, usedUsd as Used USD',
  'limitUsd as Of USD, renewsAt as Renewed',
)

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
