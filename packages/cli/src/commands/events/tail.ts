import type { LoggedEvent } from '@msgctl/client'
import type { Context } from '../../context.ts'
import { selectCredential } from '../../http/connect.ts'
import { wholeFrom } from '../../input/duration.ts'
import { defineColumns, shownPhone, shownText, valueAt } from '../../output/columns.ts'
import { sanitizeLine } from '../../output/sanitize.ts'
import type { Times } from '../../output/times.ts'
import { type Register, verb } from '../../program.ts'
import { type EventFilters, eventColumns, filterOptions, toEventInput } from './filters.ts'
import { followEvents, limitFrom, maxRows } from './follow.ts'
import { type Attempt, forward, ownSecret, type Receiver, receiverUrl } from './forward.ts'

const forwardedColumns = defineColumns('status as Response, durationMs as Duration', ...eventColumns)

interface TailOptions extends EventFilters {
  readonly limit?: string
  readonly forwardTo?: string
  readonly attempts?: string
}

/** The data fields shown in a line, in order. */
const shownFields = [
  'recipient',
  'sender',
  'contactPhone',
  'name',
  'body',
  'error',
  'reason',
  'question',
  'orderNumber',
  'vote.from',
  'vote.selectedOptions',
]

/** The field with the subject of the event: a message, a campaign, a number or an assistant. */
const subjects = ['messageId', 'campaignId', 'containerId', 'botId']

function formatLine(row: unknown, times: Times): string {
  const fact = (field: string) => valueAt(row, `data.${field}`) ?? undefined
  // The id of its number says nothing about a message that arrived.
  const subject =
    valueAt(row, 'event') === 'message.inbound' ? undefined : subjects.map(fact).find((id) => id !== undefined)
  const facts = [...shownFields.map((field) => shownPhone(field, fact(field)) ?? fact(field)), subject]
  const event = String(valueAt(row, 'event')).padEnd(20)
  const shown = facts.filter((value) => value !== undefined).map(shownText)
  return [times.absolute(String(valueAt(row, 'timestamp'))), event, ...shown].join('  ')
}

function formatForwardedLine(row: unknown, times: Times): string {
  // Without a response the event was skipped, as a note on stderr says.
  const status = valueAt(row, 'status') ?? ' - '
  return `${status}  ${String(valueAt(row, 'durationMs')).padStart(5)} ms  ${formatLine(row, times)}`
}

/**
 * Returns the signing secrets, newest first. An organization has none before its first webhook address; a secret made
 * of the credential stands in for it then, which is the same at each start.
 */
async function secretsOf(context: Context): Promise<readonly string[]> {
  const client = await context.client()
  const { signingSecret, previousSigningSecret } = await client.webhook.get({}, { signal: context.host.signal })
  if (signingSecret === null) {
    const own = ownSecret(selectCredential(context.target, context.host.now()))
    context.note(`The organization has no signing secret. Events are signed with one of this command: ${own}`)
    return [own]
  }
  context.note(`Your signing secret is ${signingSecret}`)
  // As deliveries: during an overlap a receiver may still have the old secret. A service before this field has none.
  return [signingSecret, previousSigningSecret ?? null].filter((secret) => secret !== null)
}

/** Returns the handler of each event; it resolves when the next event may be handled. */
function createHandler(context: Context, receiver: Receiver | undefined): (event: LoggedEvent) => Promise<void> {
  const { print } = context
  if (receiver === undefined) return (event) => print.follow(event, eventColumns, (row) => formatLine(row, print.times))
  const noteRetry = (event: LoggedEvent) => (attempt: Attempt, pauseMs: number | null) => {
    const reason = attempt.status === null ? attempt.error : `status ${attempt.status}`
    const body = attempt.body === '' ? '' : ` (${sanitizeLine(attempt.body)})`
    const next =
      pauseMs === null ? 'Skipped.' : `Retrying in ${Math.ceil(pauseMs / 1000)} s; --attempts 1 skips such events.`
    context.note(`Failed to forward ${event.event} ${event.id}: ${reason}${body}. ${next}`)
  }
  return async (event) => {
    const { status, durationMs } = await forward(context, receiver, event, noteRetry(event))
    await print.follow({ status, durationMs, ...event }, forwardedColumns, (row) =>
      formatForwardedLine(row, print.times),
    )
  }
}

async function tail(context: Context, options: TailOptions): Promise<void> {
  const limit = options.limit === undefined ? undefined : limitFrom(options.limit)
  const attempts = options.attempts === undefined ? undefined : wholeFrom(options.attempts, '--attempts', 1, maxRows)
  const url = options.forwardTo === undefined ? undefined : receiverUrl(options.forwardTo)
  const receiver = url && { url, secrets: await secretsOf(context), attempts }
  const handle = createHandler(context, receiver)
  const input = await toEventInput(context, await context.client(), options)
  await followEvents(context, { input, handle, ...(limit !== undefined && { limit }) })
}

const example = 'http://127.0.0.1:8080/hooks'

/** Returns the verb that follows events. `usage` is its name at its noun, and `typed` the complete command. */
export function tailVerb(usage: string, typed: string): Register {
  return verb(
    usage,
    'show events as they happen; reconnects without losing or repeating events',
    tail,
    [
      typed,
      `${typed} --types message.delivered,message.read`,
      `${typed} --types "session.*" --output ndjson`,
      `${typed} --forward-to ${example}`,
    ],
    (command) =>
      filterOptions(command)
        .option('--limit <events>', 'stop after this number of events')
        .option(
          '--forward-to <url>',
          'also post each event to this URL, newly signed, and retry until it responds with 2xx',
        )
        .option(
          '--attempts <count>',
          'with --forward-to: skip an event after this number of attempts (default: no limit)',
        ),
  )
}

/** `msgctl tail events`, another name of `msgctl events tail`. */
export const register = tailVerb('events', 'msgctl tail events')
