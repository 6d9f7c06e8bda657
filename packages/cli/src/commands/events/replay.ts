import type { MessagingClient } from '@msgctl/client'
import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { usageFailure } from '../../errors/exit-codes.ts'
import { secondsFrom } from '../../input/duration.ts'
import { addVerb, type Run } from '../../program.ts'

const columns = [{ field: 'eventId', title: 'Event id' }]

interface ReplayOptions {
  readonly dropped?: true
  readonly since: string
}

/** Returns the events whose delivery was dropped within the last `seconds`, oldest first. */
async function droppedEvents({ host }: Context, client: MessagingClient, seconds: number): Promise<string[]> {
  const since = host.now() - seconds * 1000
  const dropped = new Set<string>()
  const deliveries = client.webhook.deliveries.all({ status: 'dropped', limit: 100 }, { signal: host.signal })
  for await (const { eventId, createdAt } of deliveries) {
    // Deliveries are listed newest first.
    if (Date.parse(createdAt) < since) break
    dropped.add(eventId)
  }
  return [...dropped].reverse()
}

/** Replays the events in order and prints them. Returns the error that stopped it, if any, after printing the others. */
async function replayAll(
  { print }: Context,
  client: MessagingClient,
  ids: readonly string[],
  since: string,
): Promise<unknown> {
  let failure: unknown
  async function* replayed() {
    for (const [index, id] of ids.entries()) {
      try {
        yield { eventId: (await client.events.replay({ id })).eventId }
      } catch (error) {
        if (index === 0) throw error
        failure = error
        return
      }
    }
  }
  await print.list(replayed(), columns, `No delivery was dropped within the last ${since}.`)
  return failure
}

async function replay(context: Context, id: string | undefined, { dropped, since }: ReplayOptions): Promise<void> {
  if ((id === undefined) === (dropped !== true)) throw usageFailure('Pass either an event id or --dropped.')
  const seconds = secondsFrom(since, '--since')
  const client = await context.client()
  const { signal } = context.host
  if (id !== undefined) {
    const { eventId } = await client.events.replay({ id }, { signal })
    await context.print.record({ eventId }, columns)
  } else {
    const ids = await droppedEvents(context, client, seconds)
    if (ids.length > 0) await context.confirm(`Replay ${ids.length === 1 ? '1 event' : `${ids.length} events`}?`)
    const failure = await replayAll(context, client, ids, since)
    if (failure !== undefined) throw failure
    if (ids.length === 0) return
  }
  context.note('Check the result with: msgctl webhook deliveries')
}

/** Adds the verb that replays events, for both `events` and `webhook`. */
export function registerReplay(command: Command, run: Run, typed: string): void {
  addVerb(
    command,
    'replay [id]',
    'post one event to the webhook again, or all dropped ones',
    `${typed} 0190c1d2-7a3b-7c4d-8e5f-60718293a4b5`,
    `${typed} --dropped --since 2h --yes`,
  )
    .option('--dropped', 'replay all events with a dropped delivery, oldest first, even if replayed since')
    .option('--since <time>', 'with --dropped: replay only deliveries since this time', '24h')
    .action(run(replay))
}
