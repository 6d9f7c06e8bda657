import type { AdminClient } from '@msgctl/client/admin'
import { Argument, type Command, Option } from 'commander'
import type { Context } from '../../context.ts'
import { defineColumns } from '../../output/columns.ts'
import { verb, verbs } from '../../program.ts'
import { billingColumns, moneyColumn } from './columns.ts'
import { confirmPrice, extraNumbersFrom, productsFrom, type Wanted } from './preview.ts'

type Period = 'month' | 'year'
type Change = Awaited<ReturnType<AdminClient['billing']['setPlan']>>

/** Returns what a change charged to the card, and what it took from credit or added to it, as a sentence. */
function chargeText({ number, total, paid }: NonNullable<Change['invoice']>): string {
  const named = number === null ? 'an invoice' : `invoice ${number}`
  if (total.amount < 0) return `${total.text.replace('-', '')} became credit with ${named}.`
  if (paid.amount >= total.amount) return `Charged ${total.text} with ${named}.`
  return `Charged ${paid.text} with ${named} of ${total.text}. The rest is from credit.`
}

/** Makes one change of the plan after its price was shown and confirmed. */
async function change(
  context: Context,
  { wanted, question }: { readonly wanted: Wanted; readonly question: string },
  make: (client: AdminClient) => Promise<Change>,
): Promise<void> {
  const { billing, invoice } = await context.asPerson(async (client) => {
    await confirmPrice(context, client, { wanted, question })
    return make(client)
  })
  await context.print.record(billing, billingColumns)
  if (invoice) context.note(chargeText(invoice))
}

async function plan(context: Context, words: readonly string[]): Promise<void> {
  const products = productsFrom(words)
  const question = `Change the products to ${products.join(', ')}?`
  await change(context, { wanted: { products }, question }, (client) => client.billing.setPlan({ products }))
}

async function extraNumbers(context: Context, text: string): Promise<void> {
  const count = extraNumbersFrom(text, 'The count')
  const wanted = { extraNumbers: count }
  await change(context, { wanted, question: `Pay for ${count} extra numbers?` }, (client) =>
    client.billing.setExtraNumbers(wanted),
  )
}

async function period(context: Context, wantedPeriod: Period): Promise<void> {
  const wanted = { period: wantedPeriod }
  await change(context, { wanted, question: `Pay every ${wantedPeriod}?` }, (client) =>
    client.billing.setPeriod(wanted),
  )
}

interface PreviewOptions {
  readonly extraNumbers?: string
  readonly period?: Period
}

const previewColumns = defineColumns(
  moneyColumn('dueNow', 'Now'),
  moneyColumn('tax', 'Tax in it'),
  moneyColumn('credit', 'Credit afterwards'),
  moneyColumn('nextTotal', 'Next invoice'),
  'nextAt as On',
)
const lineColumns = defineColumns('description', moneyColumn('amount', 'Amount'))

async function preview(context: Context, words: readonly string[], options: PreviewOptions): Promise<void> {
  const wanted: Wanted = {
    ...(words.length > 0 && { products: productsFrom(words) }),
    ...(options.extraNumbers !== undefined && {
      extraNumbers: extraNumbersFrom(options.extraNumbers, '--extra-numbers'),
    }),
    ...(options.period !== undefined && { period: options.period }),
  }
  const { preview: found } = await context.asPerson((client) => client.billing.preview(wanted))
  const { print } = context
  await print.record(found, previewColumns)
  if (print.format !== 'table' || context.options.fields !== undefined || found.lines.length === 0) return
  await print.text('\n')
  await print.list(found.lines, lineColumns)
}

const periods = ['month', 'year'] as const

/** Adds the options of a whole plan. */
export function planOptions(command: Command): Command {
  return command
    .option('--extra-numbers <count>', 'numbers beside those included in Developer and Connect')
    .addOption(new Option('--period <period>', 'how often it is paid').choices(periods))
}

/** `billing preview|plan|extra-numbers|period`. */
export const planVerbs = verbs(
  verb(
    'preview [products...]',
    'show what a plan or a change of it costs, without changing it',
    preview,
    ['msgctl billing preview notify shop', 'msgctl billing preview --period year'],
    planOptions,
  ),
  verb('plan <products...>', 'change the products of the plan', plan, [
    'msgctl billing plan notify shop',
    'msgctl billing plan notify --yes',
  ]),
  verb('extra-numbers <count>', 'change how many extra numbers are paid', extraNumbers, [
    'msgctl billing extra-numbers 2',
  ]),
  verb('period', 'change how often the plan is paid', period, ['msgctl billing period year'], (command) =>
    command.addArgument(new Argument('<period>', 'month or year').choices(periods)),
  ),
)
