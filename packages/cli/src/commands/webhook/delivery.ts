import type { Context } from '../../context.ts'
import { resolveId } from '../../input/id-prefix.ts'
import type { Column } from '../../output/columns.ts'
import { verb } from '../../program.ts'
import { openPage, type WebOption, webOption } from '../open/open-page.ts'

const deliveryColumns: readonly Column[] = [
  { field: 'id', title: 'Delivery' },
  { field: 'event', title: 'Event' },
  { field: 'eventId', title: 'Event id' },
  { field: 'status', title: 'Status' },
  { field: 'url', title: 'URL' },
  { field: 'createdAt', title: 'Created' },
  { field: 'deliveredAt', title: 'Delivered' },
  { field: 'nextAttemptAt', title: 'Next attempt' },
]

const attemptColumns: readonly Column[] = [
  { field: 'at', title: 'When' },
  { field: 'status', title: 'Response' },
  { field: 'durationMs', title: 'ms' },
  { field: 'error', title: 'Error', long: true },
  { field: 'response', title: 'Answer', long: true },
]

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

/** `webhook delivery`. */
export const deliveryVerb = verb(
  'delivery <delivery>',
  'show one delivery with its attempts and its body',
  delivery,
  [
    'msgctl webhook delivery 0190c1d2-7a3b-7c4d-8e5f-60718293a4b5',
    'msgctl webhook delivery 0190c1d2-7a3b-7c4d-8e5f-60718293a4b5 --json --fields attempts',
    'msgctl webhook delivery 0190c1d2-7a3b-7c4d-8e5f-60718293a4b5 --web',
  ],
  (command) => command.option(...webOption),
)
