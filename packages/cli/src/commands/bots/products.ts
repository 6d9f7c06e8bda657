import type { AdminClient } from '@msgctl/client/admin'
import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { usageFailure } from '../../errors/exit-codes.ts'
import { readTable, type TableRow } from '../../input/csv.ts'
import {
  exitCodeFor,
  type InvalidRowOptions,
  leftOutHelp,
  reportRejectedRows,
  resolveInvalidRows,
  skipInvalidOption,
} from '../../input/invalid-rows.ts'
import { defineColumns } from '../../output/columns.ts'
import { type ListOptions, listOptions, listRows } from '../../output/paging.ts'
import { subNoun, verb } from '../../program.ts'
import { resolveBotId, resolvePartId } from './reference.ts'

const columns = defineColumns('position as Place, name, price, stock, available, sku, id as Product')

type Changed = Omit<Parameters<AdminClient['bots']['changeProduct']>[0], 'botId' | 'productId'>

interface Options {
  readonly name?: string
  readonly price?: string
  readonly stock?: string
  readonly sku?: string
  readonly description?: string
  readonly place?: string
  readonly available?: boolean
}

function numberFrom(text: string, what: string): number {
  const value = Number(text)
  if (text.trim() !== '' && Number.isFinite(value)) return value
  throw usageFailure(`${what} must be a number.`)
}

function toFields({ name, price, stock, sku, description, place, available }: Options): Changed {
  return {
    ...(name !== undefined && { name }),
    ...(price !== undefined && { price: numberFrom(price, '--price') }),
    ...(stock !== undefined && { stock: stock === 'none' ? null : numberFrom(stock, '--stock') }),
    ...(sku !== undefined && { sku }),
    ...(description !== undefined && { description }),
    ...(place !== undefined && { position: numberFrom(place, '--place') }),
    ...(available !== undefined && { available }),
  }
}

function fieldOptions(command: Command): Command {
  return command
    .option('--stock <count>', 'how many there are; none for no count')
    .option('--sku <sku>', 'your own code of it')
    .option('--description <text>', 'description')
    .option('--place <number>', 'place in the menu; lower ones come first')
}

async function list(context: Context, reference: string, paging: ListOptions): Promise<void> {
  const client = await context.admin()
  const botId = await resolveBotId(client, reference)
  const rows = listRows(context, paging, client.bots.products, { botId })
  await context.print.list(rows, columns, 'The shop has no products.')
}

async function add(context: Context, reference: string, name: string, price: string, options: Options): Promise<void> {
  const fields = { ...toFields(options), name, price: numberFrom(price, 'The price') }
  const client = await context.admin()
  const botId = await resolveBotId(client, reference)
  await context.print.record((await client.bots.addProduct({ botId, ...fields })).product, columns)
}

const shape = {
  required: ['name', 'price'],
  optional: ['sku', 'stock', 'description'],
  example: 'name,price,sku,stock,description',
}

function toRow({ cell }: TableRow) {
  return {
    name: cell('name'),
    price: Number(cell('price')),
    ...(cell('sku') !== '' && { sku: cell('sku') }),
    ...(cell('stock') !== '' && { stock: Number(cell('stock')) }),
    ...(cell('description') !== '' && { description: cell('description') }),
  }
}

interface ImportOptions extends InvalidRowOptions {
  readonly csv: string
}

async function importProducts(context: Context, reference: string, options: ImportOptions): Promise<number> {
  const table = await readTable(context.host, options.csv, shape)
  const errors = table.flatMap((row) => {
    const { price, stock = 0 } = toRow(row)
    const faults = [...row.faults]
    if (row.cell('price') === '' || Number.isNaN(price)) faults.push('the price is not a number')
    if (Number.isNaN(stock)) faults.push('the stock is not a number')
    return faults.length === 0 ? [] : [{ at: { line: row.line }, fault: faults.join('; ') }]
  })
  const invalid = new Set(errors.map(({ at }) => at.line))
  const valid = table.filter(({ line }) => !invalid.has(line))
  await resolveInvalidRows(context, { valid: valid.length, errors }, options)
  const client = await context.admin()
  const botId = await resolveBotId(client, reference)
  const imported = await client.bots.importProducts({ botId, rows: valid.map(toRow) }).catch((error) => {
    reportRejectedRows(context, 'rows', valid, error)
    throw error
  })
  await context.print.record({ created: imported.created }, [{ field: 'created', title: 'Created' }])
  return exitCodeFor(errors)
}

async function edit(context: Context, reference: string, product: string, options: Options): Promise<void> {
  const fields = toFields(options)
  if (Object.keys(fields).length === 0) throw usageFailure('Select something to change; see --help.')
  const client = await context.admin()
  const botId = await resolveBotId(client, reference)
  const productId = await resolvePartId(context, client, 'products', botId, product)
  await context.print.record((await client.bots.changeProduct({ botId, productId, ...fields })).product, columns)
}

async function remove(context: Context, reference: string, product: string): Promise<void> {
  const client = await context.admin()
  const botId = await resolveBotId(client, reference)
  const productId = await resolvePartId(context, client, 'products', botId, product)
  await client.bots.removeProduct({ botId, productId })
  await context.print.record({ id: productId, deleted: true }, [{ field: 'id', title: 'Deleted' }])
}

const example = '0190c1d2-7a3b-7c4d-8e5f-60718293a4b5'

/** `bots products`. */
export const productsVerbs = subNoun(
  'products',
  'manage the catalogue of a shop',
  verb('list <bot>', 'list the products', list, ['msgctl bots products list Shop'], listOptions),
  verb(
    'add <bot> <name> <price>',
    'add a product',
    add,
    ['msgctl bots products add Shop "Pizza Margherita" 9.50 --stock 20'],
    fieldOptions,
  ),
  verb(
    'import <bot>',
    'add products from a CSV file',
    importProducts,
    ['msgctl bots products import Shop --csv menu.csv'],
    (command) =>
      command
        .requiredOption(
          '--csv <file>',
          'CSV file with columns name and price, optionally sku, stock and description; - for stdin',
        )
        .option(...skipInvalidOption)
        .addHelpText('after', leftOutHelp),
  ),
  verb(
    'edit <bot> <product>',
    'change a product',
    edit,
    [
      `msgctl bots products edit Shop ${example} --price 10.50`,
      `msgctl bots products edit Shop ${example} --no-available`,
    ],
    (command) =>
      fieldOptions(command.option('--name <name>', 'new name').option('--price <amount>', 'new price'))
        .option('--available', 'let customers order it')
        .option('--no-available', 'take it off the menu'),
  ),
  verb('remove <bot> <product>', 'remove a product', remove, [`msgctl bots products remove Shop ${example}`]),
)
