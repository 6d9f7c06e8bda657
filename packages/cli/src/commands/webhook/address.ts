import type { Context } from '../../context.ts'
import { usageFailure } from '../../errors/exit-codes.ts'
import { secondsFrom } from '../../input/duration.ts'
import { defineColumns } from '../../output/columns.ts'
import { verb, verbs } from '../../program.ts'

const columns = defineColumns('webhookUrl as URL, signingSecret as Secret')

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

async function rotate(context: Context, { overlap }: { readonly overlap?: string }): Promise<void> {
  const overlapSeconds = overlap === undefined ? 0 : secondsFrom(overlap, '--overlap')
  const old = overlapSeconds > 0 ? `stays valid for ${overlap}` : 'stops working immediately'
  await context.confirm(`Replace the signing secret? The old one ${old}.`)
  const client = await context.client()
  const { signingSecret, warning } = await client.webhook.regenerateSecret({ overlapSeconds })
  await context.print.record({ signingSecret, warning }, defineColumns('signingSecret as Secret, warning'))
}

/** `webhook show|set|rotate`. */
export const addressVerbs = verbs(
  verb(
    'show',
    'show the webhook URL and the signing secret',
    show,
    ['msgctl webhook show', 'msgctl webhook show --show-secret'],
    (command) => command.option('--show-secret', 'show the complete secret'),
  ),
  verb(
    'set [url]',
    'set the webhook URL, or stop posting events',
    set,
    ['msgctl webhook set https://example.com/hooks/messages', 'msgctl webhook set --off'],
    (command) => command.option('--off', 'stop posting events'),
  ),
  verb(
    'rotate',
    'replace the signing secret',
    rotate,
    ['msgctl webhook rotate', 'msgctl webhook rotate --overlap 1h --yes'],
    (command) => command.option('--overlap <time>', 'keep the old secret valid for this time, up to a day'),
  ),
)
