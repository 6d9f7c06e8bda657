import { type Command, Option } from 'commander'
import type { Context } from '../../context.ts'
import { addVerb, type Run } from '../../program.ts'
import { eventKinds, kindsFrom } from '../events/kinds.ts'

async function test(context: Context, { event }: { readonly event: string }): Promise<void> {
  const [kind] = kindsFrom(event)
  const client = await context.client()
  const { eventId } = await client.webhook.test(kind ? { event: kind } : {})
  await context.print.record({ eventId, event: kind }, [{ field: 'eventId', title: 'Event id' }])
  context.note('Check the result with: msgctl webhook deliveries')
}

/** Adds `webhook test`. */
export function registerTest(webhook: Command, run: Run): void {
  addVerb(webhook, 'test', 'post a sample event', 'msgctl webhook test', 'msgctl webhook test --event message.failed')
    .addOption(
      new Option('--event <kind>', 'kind of the sample event').choices(eventKinds).default('message.delivered'),
    )
    .action(run(test))
}
