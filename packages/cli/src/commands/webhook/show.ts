import type { Context } from '../../context.ts'
import { verb } from '../../program.ts'
import { columns } from './columns.ts'

/** Returns the beginning of the secret. */
function mask(secret: string | null): string | null {
  return secret === null ? null : `${secret.slice(0, 12)}...`
}

async function show(context: Context, { showSecret }: { readonly showSecret?: true }): Promise<void> {
  const client = await context.client()
  const { webhookUrl, signingSecret } = await client.webhook.get()
  await context.print.record({ webhookUrl, signingSecret: showSecret ? signingSecret : mask(signingSecret) }, columns)
  if (!showSecret && signingSecret !== null)
    context.note('Show the complete secret with: msgctl webhook show --show-secret')
}

/** `webhook show`. */
export const showVerb = verb(
  'show',
  'show the webhook URL and the signing secret',
  show,
  ['msgctl webhook show', 'msgctl webhook show --show-secret'],
  (command) => command.option('--show-secret', 'show the complete secret'),
)
