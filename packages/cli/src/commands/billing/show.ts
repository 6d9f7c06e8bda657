import { Option } from 'commander'
import type { Context } from '../../context.ts'
import { defineColumns } from '../../output/columns.ts'
import { verb, verbs } from '../../program.ts'
import { billingColumns, moneyColumn } from './columns.ts'

async function show(context: Context): Promise<void> {
  const { billing } = await context.asPerson((client) => client.billing.get())
  await context.print.record(billing, billingColumns)
}

async function refresh(context: Context): Promise<void> {
  const { billing } = await context.asPerson((client) => client.billing.refresh())
  await context.print.record(billing, billingColumns)
}

const priceColumns = defineColumns('item', moneyColumn('month', 'Month'), moneyColumn('year', 'Year'))

async function prices(context: Context, { country }: { readonly country?: string }): Promise<void> {
  const client = await context.visitor()
  const list = await client.billing.prices(country === undefined ? {} : { country })
  const rows = [
    ...list.products.map(({ product, ...amounts }) => ({ item: product, ...amounts })),
    { item: 'extra number', ...list.extraNumber },
  ]
  await context.print.list(rows, priceColumns)
  const tax = list.taxBehavior === 'inclusive' ? 'with' : 'before'
  context.note(`Prices are ${tax} tax. Developer and Connect include ${list.includedNumbers} numbers.`)
}

/** `billing show`, `billing prices` and `billing refresh`. */
export const showVerbs = verbs(
  verb('show', 'show what the organization pays for', show, ['msgctl billing show', 'msgctl billing show --json']),
  verb(
    'prices',
    'list the products for sale with their prices',
    prices,
    ['msgctl billing prices', 'msgctl billing prices --country JP'],
    (command) => command.addOption(new Option('--country <code>', 'country, which decides the currency')),
  ),
  verb('refresh', 'read the payment provider now', refresh, ['msgctl billing refresh']),
)
