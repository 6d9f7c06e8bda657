import type { EventKind } from '@msgctl/contract'
import type { Command } from 'commander'
import type { Column } from '../columns.ts'
import { shownText, valueAt } from '../columns.ts'
import type { Context } from '../context.ts'
import { wholeFrom } from '../duration.ts'
import { kindsFrom } from '../event-kinds.ts'
import { type ListOptions, take } from '../paging.ts'
import { addVerb, type Run } from '../program.ts'

const columns: readonly Column[] = [
  { field: 'timestamp', title: 'When' },
  { field: 'event', title: 'Event' },
  { field: 'data.recipient', title: 'To' },
  { field: 'data.sender', title: 'From' },
  { field: 'data.messageId', title: 'Message' },
  { field: 'id', title: 'Event id' },
]

interface Filters {
  readonly types?: string
  readonly after?: string
}

function inputFrom({ types, after }: Filters): { types?: EventKind[]; after?: string } {
  return { ...(types !== undefined && { types: kindsFrom(types) }), ...(after !== undefined && { after }) }
}

const mostRows = 1_000_000
const largestPage = 500

async function list(context: Context, options: Filters & Pick<ListOptions, 'limit' | 'all'>): Promise<void> {
  const limit = options.all ? mostRows : wholeFrom(options.limit ?? '100', '--limit', 1, mostRows)
  const client = await context.client()
  const input = { ...inputFrom(options), limit: Math.min(limit, largestPage) }
  const rows = client.events.list.all(input, { signal: context.world.signal })
  await context.print.list(take(rows, limit), columns)
}

/** What of an event's data a person looks for, in the order in which it is shown. */
const telling = ['recipient', 'sender', 'contactPhone', 'body', 'error', 'reason', 'question', 'orderNumber']

/** The message it is about, or else the number or the assistant. */
const subjects = ['messageId', 'containerId', 'botId']

function lineOf(row: unknown): string {
  const fact = (field: string) => valueAt(row, `data.${field}`) ?? undefined
  const facts = [...telling.map(fact), subjects.map(fact).find((id) => id !== undefined)]
  const event = String(valueAt(row, 'event')).padEnd(20)
  const shown = facts.filter((value) => value !== undefined).map(shownText)
  return [shownText(valueAt(row, 'timestamp')), event, ...shown].join('  ')
}

async function tail(context: Context, options: Filters & { readonly limit?: string }): Promise<void> {
  const { world, print } = context
  const limit = options.limit === undefined ? undefined : wholeFrom(options.limit, '--limit', 1, mostRows)
  const client = await context.client()
  const stream = client.events.stream(inputFrom(options), {
    signal: world.signal,
    onReconnect: ({ error, waitMs }) =>
      context.note(`${error.message} Connecting again in ${Math.ceil(waitMs / 1000)} s.`),
  })
  context.note('Following events; Ctrl-C ends it.')
  try {
    for await (const event of limit === undefined ? stream : take(stream, limit)) {
      await print.follow(event, columns, lineOf)
    }
  } finally {
    if (stream.lastEventId !== undefined) context.note(`Go on here with --after ${stream.lastEventId}`)
  }
}

async function replay(context: Context, id: string): Promise<void> {
  const client = await context.client()
  const { eventId } = await client.events.replay({ id })
  await context.print.record({ eventId }, [{ field: 'eventId', title: 'Event id' }])
  context.note('What became of it: msgctl webhook deliveries')
}

const ofTypes = ['--types <kinds>', 'only these, separated by commas; message.* means all of a group'] as const

function addTail(command: Command, usage: string, run: Run, typed: string): void {
  addVerb(
    command,
    usage,
    'show events as they happen; a lost connection skips and repeats nothing',
    typed,
    `${typed} --types message.delivered,message.read`,
    `${typed} --types "session.*" --output ndjson`,
  )
    .option(...ofTypes)
    .option('--after <id>', 'begin behind this event instead of now')
    .option('--limit <events>', 'end after so many events')
    .action(run(tail))
}

export function register(events: Command, run: Run): void {
  addTail(events, 'tail', run, 'msgctl events tail')
  addVerb(
    events,
    'list',
    'list the events of the last 30 days, oldest first',
    'msgctl events list --types message.failed',
    'msgctl events list --all --output ndjson > events.ndjson',
  )
    .option(...ofTypes)
    .option('--after <id>', 'only what came after this event')
    .option('--limit <events>', 'events at most (default 100)')
    .option('--all', 'every event')
    .action(run(list))
  addVerb(
    events,
    'replay <id>',
    'post one event to the webhook address again',
    'msgctl events replay 0190c1d2-7a3b-7c4d-8e5f-60718293a4b5',
  ).action(run(replay))
}

export function registerTail(noun: Command, run: Run): void {
  addTail(noun, 'events', run, 'msgctl tail events')
}
