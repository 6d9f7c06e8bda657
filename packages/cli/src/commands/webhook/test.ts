import { type Command, Option } from 'commander'
import type { Context } from '../../context.ts'
import { addVerb, type Run } from '../../program.ts'
import { eventKinds, kindsFrom } from '../events/kinds.ts'

async function test(context: Context, { event: wanted }: { readonly event?: string }): Promise<void> {
  const [kind] = wanted === undefined ? [] : kindsFrom(wanted)
  const client = await context.client()
  const { eventId, event } = await client.webhook.test(kind ? { event: kind } : {})
  await context.print.record({ eventId, event }, [
    { field: 'eventId', title: 'Event id' },
    { field: 'event', title: 'Event' },
  ])
  context.note('Check the result with: msgctl webhook deliveries')
}

/** Adds `webhook test`. */
export function registerTest(webhook: Command, run: Run): void {
  addVerb(webhook, 'test', 'post a sample event', 'msgctl webhook test', 'msgctl webhook test --event message.failed')
    .addOption(
      new Option('--event <kind>', 'kind of the sample event (default: one that the products receive)').choices(
        eventKinds,
      ),
    )
    .action(run(test))
}
