import type { Context } from '../../context.ts'
import { usageFailure } from '../../errors/exit-codes.ts'
import { verb } from '../../program.ts'
import { columns } from './columns.ts'

async function set(context: Context, url: string | undefined, { off }: { readonly off?: true }): Promise<void> {
  if ((url === undefined) === (off !== true)) throw usageFailure('Pass a URL, or --off to stop events.')
  if (off) await context.confirm('Stop posting events?')
  const client = await context.client()
  const { webhookUrl, signingSecret } = await client.webhook.set({ webhookUrl: url ?? null })
  const shown = signingSecret === null ? columns.filter(({ field }) => field !== 'signingSecret') : columns
  await context.print.record({ webhookUrl, signingSecret }, shown)
  if (signingSecret !== null) context.note('This is a new secret; receivers verify deliveries with it.')
  else if (webhookUrl !== null)
    context.note('The secret stays the same. Show it with: msgctl webhook show --show-secret')
}

/** `webhook set`. */
export const setVerb = verb(
  'set [url]',
  'set the webhook URL, or stop posting events',
  set,
  ['msgctl webhook set https://example.com/hooks/messages', 'msgctl webhook set --off'],
  (command) => command.option('--off', 'stop posting events'),
)
