import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { addVerb, type Run } from '../../program.ts'
import { columns } from './columns.ts'

/** Enough of the secret to tell it from another. */
function masked(secret: string | null): string | null {
  return secret === null ? null : `${secret.slice(0, 12)}...`
}

async function show(context: Context, { showSecret }: { readonly showSecret?: true }): Promise<void> {
  const client = await context.client()
  const { webhookUrl, signingSecret } = await client.webhook.get()
  await context.print.record({ webhookUrl, signingSecret: showSecret ? signingSecret : masked(signingSecret) }, columns)
  if (!showSecret && signingSecret !== null) context.note('The whole secret: msgctl webhook show --show-secret')
}

/** Adds `webhook show`. */
export function registerShow(webhook: Command, run: Run): void {
  addVerb(
    webhook,
    'show',
    'show the address and the signing secret',
    'msgctl webhook show',
    'msgctl webhook show --show-secret',
  )
    .option('--show-secret', 'the whole secret')
    .action(run(show))
}
