import type { Context } from '../../context.ts'
import { secondsFrom } from '../../input/duration.ts'
import { verb } from '../../program.ts'

async function rotate(context: Context, { overlap }: { readonly overlap?: string }): Promise<void> {
  const overlapSeconds = overlap === undefined ? 0 : secondsFrom(overlap, '--overlap')
  const old = overlapSeconds > 0 ? `stays valid for ${overlap}` : 'stops working immediately'
  await context.confirm(`Replace the signing secret? The old one ${old}.`)
  const client = await context.client()
  const { signingSecret, warning } = await client.webhook.regenerateSecret({ overlapSeconds })
  await context.print.record({ signingSecret, warning }, [
    { field: 'signingSecret', title: 'Secret' },
    { field: 'warning', title: 'Warning' },
  ])
}

/** `webhook rotate`. */
export const rotateVerb = verb(
  'rotate',
  'replace the signing secret',
  rotate,
  ['msgctl webhook rotate', 'msgctl webhook rotate --overlap 1h --yes'],
  (command) => command.option('--overlap <time>', 'keep the old secret valid for this time, up to a day'),
)
