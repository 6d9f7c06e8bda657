import type { LoggedEvent } from '@msgctl/client'
import type { Context } from '../../context.ts'
import { defineColumns, shownText, valueAt } from '../../output/columns.ts'
import type { Times } from '../../output/times.ts'
import { verb } from '../../program.ts'
import { followEvents, limitFrom } from '../events/follow.ts'
import { findBot } from './reference.ts'

const columns = defineColumns(
  'timestamp as When, event, data.contactPhone as With',
  { field: 'data.question', title: 'Question', long: true },
  'data.reason, data.orderNumber as Order, data.total, data.currency, id as Event id',
)

/** The fields of a line, in order. */
const lineFields = ['contactPhone', 'reason', 'question', 'orderNumber', 'total', 'currency']

interface Options {
  readonly limit?: string
  readonly after?: string
}

function formatLine(row: unknown, times: Times): string {
  const facts = lineFields.map((field) => valueAt(row, `data.${field}`)).filter((value) => (value ?? null) !== null)
  const event = String(valueAt(row, 'event')).padEnd('bot.needs_review'.length)
  return [times.absolute(String(valueAt(row, 'timestamp'))), event, ...facts.map(shownText)].join('  ')
}

async function watch(context: Context, reference: string | undefined, { limit, after }: Options): Promise<void> {
  const { print } = context
  const botId = reference === undefined ? undefined : (await findBot(await context.admin(), reference)).id
  const isOfBot = (event: LoggedEvent) => botId === undefined || valueAt(event, 'data.botId') === botId
  await followEvents(context, {
    input: { types: ['bot.needs_review', 'bot.handoff', 'commerce.order'], ...(after !== undefined && { after }) },
    filter: isOfBot,
    handle: (event) => print.follow(event, columns, (row) => formatLine(row, print.times)),
    ...(limit !== undefined && { limit: limitFrom(limit) }),
  })
}

/** `bots watch`. */
export const watchVerb = verb(
  'watch [bot]',
  'show what assistants leave to people, and orders, as they happen',
  watch,
  ['msgctl bots watch Desk', 'msgctl bots watch --output ndjson'],
  (command) =>
    command
      .option('--after <id>', 'begin after this event')
      .option('--limit <events>', 'stop after this number of events'),
)
