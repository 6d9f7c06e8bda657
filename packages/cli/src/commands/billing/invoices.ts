import type { AdminClient } from '@msgctl/client/admin'
import type { Context } from '../../context.ts'
import { notFound } from '../../errors/exit-codes.ts'
import { wholeFrom } from '../../input/duration.ts'
import { defineColumns } from '../../output/columns.ts'
import { verb, verbs } from '../../program.ts'
import { openAddress } from '../open/open-page.ts'
import { moneyColumn } from './columns.ts'

const columns = defineColumns(
  'id, number, status, createdAt as Made',
  moneyColumn('total', 'Total'),
  moneyColumn('paid', 'Paid'),
  { ...moneyColumn('refunded', 'Refunded'), spare: true },
  'receipt',
)

const defaultRows = 20
const pageSize = 100
const maxRows = 1_000_000

async function list(context: Context, { limit }: { readonly limit?: string }): Promise<void> {
  const wanted = wholeFrom(limit ?? String(defaultRows), '--limit', 1, maxRows)
  const rows = await context.asPerson(async (client) => {
    const found = []
    const options = { signal: context.host.signal }
    for await (const one of client.billing.invoices.all({ limit: Math.min(wanted, pageSize) }, options)) {
      found.push(one)
      if (found.length >= wanted) break
    }
    return found
  })
  await context.print.list(rows, columns)
}

const idForm = /^[0-9a-f-]{36}$/i

/** Returns the id of an invoice by its id or number. Throws a CliError when there is none. */
async function findInvoiceId(client: AdminClient, text: string): Promise<string> {
  if (idForm.test(text)) return text
  for await (const { id, number } of client.billing.invoices.all({ limit: pageSize })) if (number === text) return id
  throw notFound(`There is no invoice ${text}.`, 'List the invoices with: msgctl billing invoices')
}

async function receipt(context: Context, invoice: string, { open }: { readonly open?: true }): Promise<void> {
  const { receipt: found } = await context.asPerson(async (client) =>
    client.billing.receipt({ invoiceId: await findInvoiceId(client, invoice) }),
  )
  if (open) openAddress(context, found.url)
  await context.print.record(found, defineColumns('number, url as Page, pdfUrl as PDF'))
}

/** `billing invoices` and `billing receipt`. */
export const invoiceVerbs = verbs(
  verb(
    'invoices',
    'list the invoices, newest first',
    list,
    ['msgctl billing invoices', 'msgctl billing invoices --limit 100 --json'],
    (command) => command.option('--limit <rows>', `maximum number of rows (default: ${defaultRows})`),
  ),
  verb(
    'receipt <invoice>',
    'show the receipt of a paid invoice, by id or number',
    receipt,
    ['msgctl billing receipt 0190c1d2-7a3b-7c4d-8e5f-60718293a4b5 --open'],
    (command) => command.option('--open', 'open the page in a browser'),
  ),
)
