import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { usageFailure } from '../../errors/exit-codes.ts'
import { addVerb, type Run } from '../../program.ts'
import { columns } from './columns.ts'

async function set(context: Context, url: string | undefined, { off }: { readonly off?: true }): Promise<void> {
  if ((url === undefined) === (off !== true)) throw usageFailure('Give the address, or --off to stop events.')
  if (off) await context.confirm('Stop posting events?')
  const client = await context.client()
  const { webhookUrl, signingSecret } = await client.webhook.set({ webhookUrl: url ?? null })
  await context.print.record({ webhookUrl, signingSecret }, columns)
  if (signingSecret !== null) context.note('The secret is new. Receivers verify deliveries with it.')
}

/** Adds `webhook set`. */
export function registerSet(webhook: Command, run: Run): void {
  addVerb(
    webhook,
    'set [url]',
    'post events to this address, or stop',
    'msgctl webhook set https://example.com/hooks/messages',
    'msgctl webhook set --off',
  )
    .option('--off', 'post no events')
    .action(run(set))
}
