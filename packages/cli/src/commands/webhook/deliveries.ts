import type { MessagingClient } from '@msgctl/client'
import type { EventKind } from '@msgctl/contract'
import { Option } from 'commander'
import type { Context } from '../../context.ts'
import { resolveId } from '../../input/id-prefix.ts'
import { defineColumns } from '../../output/columns.ts'
import { type ListOptions, listOptions, listRows } from '../../output/paging.ts'
import { verb, verbs } from '../../program.ts'
import { eventKinds } from '../events/kinds.ts'
import { openPage, type WebOption, webOption } from '../open/open-page.ts'

const listColumns = defineColumns(
  'createdAt as Created, event',
  { field: 'sample', title: 'Sample', spare: true },
  'status',
  { field: 'attempts', title: 'Attempts', spare: true },
  'lastStatus as Response, lastDurationMs as ms',
  { field: 'lastResponse', title: 'Answer', long: true },
  { field: 'lastError', title: 'Error', long: true },
  { field: 'eventId', title: 'Event id', spare: true },
  'id as Delivery',
)

interface DeliveryOptions extends ListOptions {
  readonly status?: 'pending' | 'delivered' | 'dropped'
  readonly event?: EventKind
}

type Input = Parameters<MessagingClient['webhook']['deliveries']['all']>[0]

async function deliveries(context: Context, { status, event, ...paging }: DeliveryOptions): Promise<void> {
  const client = await context.client()
  const input: Input = { ...(status && { status }), ...(event && { event }) }
  const rows = listRows(context, paging, client.webhook.deliveries, input)
  await context.print.list(rows, listColumns, 'No deliveries found.')
}

const deliveryColumns = defineColumns(
  'id as Delivery, event, eventId, status, url as URL, createdAt as Created, deliveredAt as Delivered',
  'nextAttemptAt as Next attempt',
)

const attemptColumns = defineColumns(
  'at as When, status as Response, durationMs as ms',
  { field: 'error', title: 'Error', long: true },
  { field: 'response', title: 'Answer', long: true },
)

async function delivery(context: Context, reference: string, { web }: WebOption): Promise<void> {
  const client = await context.client()
  const { signal } = context.host
  const id = await resolveId(reference, {
    list: () => client.webhook.deliveries.all({ limit: 100 }, { signal }),
    plural: 'deliveries',
    command: 'msgctl webhook deliveries',
  })
  if (web) return openPage(context, `webhook/${id}`)
  const { print } = context
  const { delivery: shown, attempts, body } = await client.webhook.delivery({ id }, { signal })
  if (print.format !== 'table') return print.record({ ...shown, attempts: attempts, body }, deliveryColumns)
  await print.record(shown, deliveryColumns)
  if (context.options.fields !== undefined) return
  await print.text('\n')
  await print.list(attempts, attemptColumns, 'It was not attempted yet.')
  await print.text(`\n${JSON.stringify(body, null, 2)}\n`)
}

/** `webhook deliveries|delivery`. */
export const deliveryVerbs = verbs(
  verb(
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
  ),
  verb(
    'delivery <delivery>',
    'show one delivery with its attempts and its body',
    delivery,
    [
      'msgctl webhook delivery 0190c1d2-7a3b-7c4d-8e5f-60718293a4b5',
      'msgctl webhook delivery 0190c1d2-7a3b-7c4d-8e5f-60718293a4b5 --json --fields attempts',
      'msgctl webhook delivery 0190c1d2-7a3b-7c4d-8e5f-60718293a4b5 --web',
    ],
    (command) => command.option(...webOption),
  ),
)
