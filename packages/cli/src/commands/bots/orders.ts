import { Option } from 'commander'
import type { Context } from '../../context.ts'
import { type Column, defineColumns } from '../../output/columns.ts'
import { type ListOptions, listOptions, listRows } from '../../output/paging.ts'
import { subNoun, verb } from '../../program.ts'
import { resolveBotId } from './reference.ts'

const statuses = ['placed', 'confirmed', 'shipped', 'delivered', 'cancelled', 'refused'] as const
type Status = (typeof statuses)[number]

const columns = defineColumns(
  'orderNumber as Order, status, total, currency, contactPhone as From, name',
  { field: 'address', title: 'Address', long: true },
  'placedAt as Placed',
)

interface Line {
  readonly quantity: number
  readonly name: string
}

const detailColumns: readonly Column[] = [
  ...columns,
  {
    field: 'lines',
    title: 'Lines',
    long: true,
    show: (value) => (value as Line[]).map(({ quantity, name }) => `${quantity} x ${name}`).join(', '),
  },
  { field: 'note', title: 'Note' },
]

interface Filters extends ListOptions {
  readonly status?: Status
  readonly phone?: string
}

async function list(context: Context, reference: string, { status, phone, ...paging }: Filters): Promise<void> {
  const client = await context.admin()
  const botId = await resolveBotId(client, reference)
  const input = { botId, ...(status && { status }), ...(phone !== undefined && { phone }) }
  const rows = listRows(context, paging, client.bots.orders, input)
  await context.print.list(rows, columns, 'There are no orders.')
}

async function show(context: Context, reference: string, orderNumber: string): Promise<void> {
  const client = await context.admin()
  const botId = await resolveBotId(client, reference)
  await context.print.record((await client.bots.order({ botId, orderNumber })).order, detailColumns)
}

interface SetOptions {
  readonly note?: string
  readonly notify: boolean
}

async function set(
  context: Context,
  reference: string,
  orderNumber: string,
  status: Status,
  { note, notify }: SetOptions,
): Promise<void> {
  const client = await context.admin()
  const botId = await resolveBotId(client, reference)
  const input = { botId, orderNumber, status, notify, ...(note !== undefined && { note }) }
  const { order, notified } = await client.bots.changeOrder(input)
  await context.print.record({ ...order, notified }, [...columns, { field: 'notified', title: 'Customer notified' }])
}

/** `bots orders`. */
export const ordersVerbs = subNoun(
  'orders',
  'list and move orders',
  verb(
    'list <bot>',
    'list orders, the latest first',
    list,
    ['msgctl bots orders list Shop --status placed'],
    (command) =>
      listOptions(command)
        .addOption(new Option('--status <status>', 'show only this status').choices(statuses))
        .option('--phone <phone>', 'show only orders of this person'),
  ),
  verb('show <bot> <order>', 'show an order', show, ['msgctl bots orders show Shop 1001']),
  verb(
    'set <bot> <order> <status>',
    'move an order to a status, and notify the customer',
    set,
    [
      'msgctl bots orders set Shop 1001 confirmed',
      'msgctl bots orders set Shop 1001 cancelled --note "We are out of dough." --no-notify',
    ],
    (command) =>
      command
        .option('--note <text>', 'note for the history, and for the customer')
        .option('--no-notify', 'do not notify the customer'),
  ),
)
