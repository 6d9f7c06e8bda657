import type { MessagingClient } from '@msgctl/client'
import { type Command, Option } from 'commander'
import type { Context } from '../../context.ts'
import { usageFailure } from '../../errors/exit-codes.ts'
import { secondsFrom } from '../../input/duration.ts'
import type { Column } from '../../output/columns.ts'
import { type ListOptions, listOptions, listRows } from '../../output/paging.ts'
import { addVerb, type Run } from '../../program.ts'
import { eventKinds, kindsFrom } from '../events/event-kinds.ts'
import { addReplay } from '../events/replay.ts'

const columns: readonly Column[] = [
  { field: 'webhookUrl', title: 'Address' },
  { field: 'signingSecret', title: 'Secret' },
]

const deliveryColumns: readonly Column[] = [
  { field: 'createdAt', title: 'Created' },
  { field: 'event', title: 'Event' },
  { field: 'status', title: 'Status' },
  { field: 'attempts', title: 'Attempts' },
  { field: 'lastStatus', title: 'Answer' },
  { field: 'lastError', title: 'Error', long: true },
  { field: 'eventId', title: 'Event id' },
]

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

async function set(context: Context, url: string | undefined, { off }: { readonly off?: true }): Promise<void> {
  if ((url === undefined) === (off !== true)) throw usageFailure('Give the address, or --off to stop events.')
  if (off) await context.confirm('Stop posting events?')
  const client = await context.client()
  const { webhookUrl, signingSecret } = await client.webhook.set({ webhookUrl: url ?? null })
  await context.print.record({ webhookUrl, signingSecret }, columns)
  if (signingSecret !== null) context.note('The secret is new. Receivers verify deliveries with it.')
}

async function rotate(context: Context, { overlap }: { readonly overlap?: string }): Promise<void> {
  const overlapSeconds = overlap === undefined ? 0 : secondsFrom(overlap, '--overlap')
  const old = overlapSeconds > 0 ? `verifies for ${overlap} more` : 'no longer verifies'
  await context.confirm(`Replace the signing secret? The old one ${old}.`)
  const client = await context.client()
  const { signingSecret, warning } = await client.webhook.regenerateSecret({ overlapSeconds })
  await context.print.record({ signingSecret, warning }, [
    { field: 'signingSecret', title: 'Secret' },
    { field: 'warning', title: 'Mind' },
  ])
}

interface DeliveryOptions extends ListOptions {
  readonly status?: 'pending' | 'delivered' | 'dropped'
}

type Input = Parameters<MessagingClient['webhook']['deliveries']['all']>[0]

async function deliveries(context: Context, { status, ...paging }: DeliveryOptions): Promise<void> {
  const client = await context.client()
  const input: Input = status ? { status } : {}
  const options = { signal: context.host.signal }
  const rows = listRows(paging, {
    all: (limit) => client.webhook.deliveries.all({ ...input, limit }, options),
    page: async (page, limit) => (await client.webhook.deliveries({ ...input, page, limit }, options)).deliveries,
  })
  await context.print.list(rows, deliveryColumns)
}

async function test(context: Context, { event }: { readonly event: string }): Promise<void> {
  const [kind] = kindsFrom(event)
  const client = await context.client()
  const { eventId } = await client.webhook.test(kind ? { event: kind } : {})
  await context.print.record({ eventId, event: kind }, [{ field: 'eventId', title: 'Event id' }])
  context.note('What became of it: msgctl webhook deliveries')
}

export function register(webhook: Command, run: Run): void {
  addVerb(
    webhook,
    'show',
    'show the address and the signing secret',
    'msgctl webhook show',
    'msgctl webhook show --show-secret',
  )
    .option('--show-secret', 'the whole secret')
    .action(run(show))
  addVerb(
    webhook,
    'set [url]',
    'post events to this address, or stop',
    'msgctl webhook set https://example.com/hooks/messages',
    'msgctl webhook set --off',
  )
    .option('--off', 'post no events')
    .action(run(set))
  addVerb(
    webhook,
    'rotate',
    'replace the signing secret',
    'msgctl webhook rotate',
    'msgctl webhook rotate --overlap 1h --yes',
  )
    .option('--overlap <time>', 'how long the old secret verifies too, up to a day')
    .action(run(rotate))
  listOptions(
    addVerb(
      webhook,
      'deliveries',
      'list what was posted, and what came back',
      'msgctl webhook deliveries --status dropped',
      'msgctl webhook deliveries --limit 5 --json',
    ).addOption(
      new Option('--status <status>', 'only deliveries that are this far').choices(['pending', 'delivered', 'dropped']),
    ),
  ).action(run(deliveries))
  addReplay(webhook, run, 'msgctl webhook replay')
  addVerb(webhook, 'test', 'post a sample event', 'msgctl webhook test', 'msgctl webhook test --event message.failed')
    .addOption(
      new Option('--event <kind>', 'what to make a sample of').choices(eventKinds).default('message.delivered'),
    )
    .action(run(test))
}
