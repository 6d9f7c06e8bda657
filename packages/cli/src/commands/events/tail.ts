import type { LoggedEvent } from '@msgctl/contract'
import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { wholeFrom } from '../../input/duration.ts'
import { type Column, shownText, valueAt } from '../../output/columns.ts'
import { take } from '../../output/paging.ts'
import { addVerb, type Run } from '../../program.ts'
import { type EventFilters, eventColumns, toEventInput } from './filters.ts'
import { type Attempt, forward, type Receiver, receiverUrl } from './forward.ts'

const forwardedColumns: readonly Column[] = [
  { field: 'status', title: 'Answer' },
  { field: 'durationMs', title: 'Took' },
  ...eventColumns,
]

interface TailOptions extends EventFilters {
  readonly limit?: string
  readonly forwardTo?: string
}

const mostRows = 1_000_000

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

function forwardedLine(row: unknown): string {
  return `${valueAt(row, 'status')}  ${String(valueAt(row, 'durationMs')).padStart(5)} ms  ${lineOf(row)}`
}

/** The receiver with the secret of the organization, so that what it verifies with is what it will verify with later. */
async function receiverOf(context: Context, address: string): Promise<Receiver> {
  const url = receiverUrl(address)
  const client = await context.client()
  const { signingSecret } = await client.webhook.get({}, { signal: context.host.signal })
  if (signingSecret === null) {
    context.note(
      'Events are forwarded unsigned: the organization has no signing secret (msgctl webhook set makes one).',
    )
  }
  return { url, secret: signingSecret }
}

/** What is done with each event; it answers when the next one may come. */
function workOf(context: Context, receiver: Receiver | undefined): (event: LoggedEvent) => Promise<void> {
  const { print } = context
  if (receiver === undefined) return (event) => print.follow(event, eventColumns, lineOf)
  const tell = (event: LoggedEvent) => (attempt: Attempt, pauseMs: number) => {
    const why = attempt.status === null ? attempt.error : `it answered ${attempt.status}`
    context.note(`${event.event} ${event.id} was not taken: ${why}. Trying again in ${Math.ceil(pauseMs / 1000)} s.`)
  }
  return async (event) => {
    const { status, durationMs } = await forward(context, receiver, event, tell(event))
    await print.follow({ status, durationMs, ...event }, forwardedColumns, forwardedLine)
  }
}

/**
 * Tells where a later tail goes on. An event that was given out but not done with must come again, so the place is the one
 * before it; `undefined` when nothing came before.
 */
function tellPlace(context: Context, place: string | undefined, pending: LoggedEvent | undefined): void {
  if (place !== undefined) context.note(`Go on here with --after ${place}`)
  else if (pending) context.note(`The receiver did not take ${pending.id}; msgctl events list shows it.`)
}

async function tail(context: Context, options: TailOptions): Promise<void> {
  const { host } = context
  const limit = options.limit === undefined ? undefined : wholeFrom(options.limit, '--limit', 1, mostRows)
  const input = toEventInput(options)
  const receiver = options.forwardTo === undefined ? undefined : await receiverOf(context, options.forwardTo)
  const work = workOf(context, receiver)
  const client = await context.client()
  const stream = client.events.stream(input, {
    signal: host.signal,
    onReconnect: ({ error, waitMs }) =>
      context.note(`Connecting again in ${Math.ceil(waitMs / 1000)} s. ${error.message}`),
  })
  context.note('Following events; Ctrl-C ends it.')
  let place = options.after
  let pending: LoggedEvent | undefined
  try {
    for await (const event of limit === undefined ? stream : take(stream, limit)) {
      pending = event
      await work(event)
      pending = undefined
      place = event.id
    }
  } finally {
    tellPlace(context, pending ? place : (stream.lastEventId ?? place), pending)
  }
}

const example = 'http://127.0.0.1:8080/hooks'

/** Adds the verb that follows events, under the name it has at `command`. */
export function registerTail(command: Command, run: Run, usage: string, typed: string): void {
  addVerb(
    command,
    usage,
    'show events as they happen; a lost connection skips and repeats nothing',
    typed,
    `${typed} --types message.delivered,message.read`,
    `${typed} --types "session.*" --output ndjson`,
    `${typed} --forward-to ${example}`,
  )
    .option('--types <kinds>', 'only these, separated by commas; message.* means all of a group')
    .option('--after <id>', 'begin behind this event instead of now')
    .option('--limit <events>', 'end after so many events')
    .option('--forward-to <url>', 'post each event there too, signed anew, again and again until it answers 2xx')
    .action(run(tail))
}
