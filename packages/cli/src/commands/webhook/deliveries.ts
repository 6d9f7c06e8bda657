import type { MessagingClient } from '@msgctl/client'
import type { EventKind } from '@msgctl/contract'
import { Option } from 'commander'
import type { Context } from '../../context.ts'
import type { Column } from '../../output/columns.ts'
import { type ListOptions, listOptions, listRows } from '../../output/paging.ts'
import { verb } from '../../program.ts'
import { eventKinds } from '../events/kinds.ts'

const deliveryColumns: readonly Column[] = [
  { field: 'createdAt', title: 'Created' },
  { field: 'event', title: 'Event' },
  { field: 'sample', title: 'Sample', spare: true },
  { field: 'status', title: 'Status' },
  { field: 'attempts', title: 'Attempts', spare: true },
  { field: 'lastStatus', title: 'Response' },
  { field: 'lastDurationMs', title: 'ms' },
  { field: 'lastResponse', title: 'Answer', long: true },
  { field: 'lastError', title: 'Error', long: true },
  { field: 'eventId', title: 'Event id', spare: true },
  { field: 'id', title: 'Delivery' },
]

interface DeliveryOptions extends ListOptions {
  readonly status?: 'pending' | 'delivered' | 'dropped'
  readonly event?: EventKind
}

type Input = Parameters<MessagingClient['webhook']['deliveries']['all']>[0]

async function deliveries(context: Context, { status, event, ...paging }: DeliveryOptions): Promise<void> {
  const client = await context.client()
  const input: Input = { ...(status && { status }), ...(event && { event }) }
  const options = { signal: context.host.signal }
  const rows = listRows(context, paging, {
    all: (limit) => client.webhook.deliveries.all({ ...input, limit }, options),
    page: async (page, limit) => (await client.webhook.deliveries({ ...input, page, limit }, options)).deliveries,
  })
  await context.print.list(rows, deliveryColumns, 'No deliveries found.')
}

/** `webhook deliveries`. */
export const deliveriesVerb = verb(
  'deliveries',
  'list webhook deliveries and their results',
  deliveries,
  ['msgctl webhook deliveries --status dropped', 'msgctl webhook deliveries --event message.failed --limit 5 --json'],
  (command) =>
    listOptions(
      command
        .addOption(
          new Option('--status <status>', 'show only this status').choices(['pending', 'delivered', 'dropped']),
        )
        .addOption(new Option('--event <kind>', 'show only events of this kind').choices(eventKinds)),
    ),
)
