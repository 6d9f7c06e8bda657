import type { MessagingClient } from '@msgctl/client'
import type { Context } from '../../context.ts'
import { usageFailure } from '../../errors/exit-codes.ts'
import { secondsFrom } from '../../input/duration.ts'
import { resolveId } from '../../input/id-prefix.ts'
import { type Register, verb } from '../../program.ts'

const columns = [{ field: 'eventId', title: 'Event id' }]
const countColumns = [{ field: 'count', title: 'Replayed' }]

interface ReplayOptions {
  readonly dropped?: true
  readonly since: string
}

/** Replays all dropped deliveries of the last `seconds`, after asking. `since` is how the time was typed. */
async function replayDropped(
  context: Context,
  client: MessagingClient,
  { seconds, since }: { readonly seconds: number; readonly since: string },
): Promise<void> {
  const { host, print } = context
  await context.confirm(`Replay all deliveries that were dropped within the last ${since}?`)
  const from = new Date(host.now() - seconds * 1000).toISOString()
  const { count } = await client.webhook.replayDeliveries({ status: 'dropped', from }, { signal: host.signal })
  await print.record({ count }, countColumns)
  context.note(
    count === 0
      ? `No delivery was dropped within the last ${since}, or all were delivered since.`
      : 'Check the result with: msgctl webhook deliveries',
  )
}

async function replay(
  context: Context,
  reference: string | undefined,
  { dropped, since }: ReplayOptions,
): Promise<void> {
  if ((reference === undefined) === (dropped !== true)) throw usageFailure('Pass either an event id or --dropped.')
  const seconds = secondsFrom(since, '--since')
  const client = await context.client()
  if (reference === undefined) return replayDropped(context, client, { seconds, since })
  const { signal } = context.host
  const id = await resolveId(reference, {
    list: () => client.events.list.all({ order: 'newest', limit: 500 }, { signal }),
    plural: 'events',
    command: 'msgctl events list',
  })
  const { eventId } = await client.events.replay({ id }, { signal })
  await context.print.record({ eventId }, columns)
  context.note('Check the result with: msgctl webhook deliveries')
}

/** Returns the verb that replays events, of `events` or `webhook`. `typed` is the complete command. */
export function replayVerb(typed: string): Register {
  return verb(
    'replay [event]',
    'post one event to the webhook again, or all dropped ones',
    replay,
    [`${typed} 0190c1d2-7a3b-7c4d-8e5f-60718293a4b5`, `${typed} --dropped --since 2h --yes`],
    (command) =>
      command
        .option('--dropped', 'replay all dropped deliveries, oldest first, unless they were delivered since')
        .option('--since <time>', 'with --dropped: replay only deliveries since this time', '24h'),
  )
}
