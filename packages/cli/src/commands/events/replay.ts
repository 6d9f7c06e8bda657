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

/** The events whose delivery was given up within the last `seconds`, the oldest first. */
async function droppedEvents({ host }: Context, client: MessagingClient, seconds: number): Promise<string[]> {
  const since = host.now() - seconds * 1000
  const dropped = new Set<string>()
  const deliveries = client.webhook.deliveries.all({ status: 'dropped', limit: 100 }, { signal: host.signal })
  for await (const { eventId, createdAt } of deliveries) {
    // They come latest first.
    if (Date.parse(createdAt) < since) break
    dropped.add(eventId)
  }
  return [...dropped].reverse()
}

/** Posts the events again, one after the other; answers what stopped it, after those that went are printed. */
async function replayAll({ print }: Context, client: MessagingClient, ids: readonly string[]): Promise<unknown> {
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
  await print.list(replayed(), columns)
  return failure
}

async function replay(context: Context, id: string | undefined, { dropped, since }: ReplayOptions): Promise<void> {
  if ((id === undefined) === (dropped !== true)) throw usageFailure('Give the id of an event, or --dropped.')
  const seconds = secondsFrom(since, '--since')
  const client = await context.client()
  const { signal } = context.host
  if (id !== undefined) {
    const { eventId } = await client.events.replay({ id }, { signal })
    await context.print.record({ eventId }, columns)
  } else {
    const ids = await droppedEvents(context, client, seconds)
    if (ids.length > 0) await context.confirm(`Post ${ids.length === 1 ? '1 event' : `${ids.length} events`} again?`)
    const failure = await replayAll(context, client, ids)
    if (failure !== undefined) throw failure
    if (ids.length === 0) return context.note(`No delivery of the last ${since} was given up.`)
  }
  context.note('What became of it: msgctl webhook deliveries')
}

/** Adds the verb that posts events again; `events` and `webhook` both have it. */
export function registerReplay(command: Command, run: Run, typed: string): void {
  addVerb(
    command,
    'replay [id]',
    'post an event to the webhook address again, or all that were given up',
    `${typed} 0190c1d2-7a3b-7c4d-8e5f-60718293a4b5`,
    `${typed} --dropped --since 2h --yes`,
  )
    .option('--dropped', 'every event whose delivery was given up, the oldest first, also when posted again since')
    .option('--since <time>', 'with --dropped: how far back', '24h')
    .action(run(replay))
}
