import { bareText, type Column, pick, requireFields, valueAt } from './columns.ts'
import { csvLine } from './csv.ts'
import type { Look } from './table.ts'
import { safeJson, safeLine, safeText } from './terminal-text.ts'
import type { World } from './world.ts'
import { takesColour } from './world.ts'

export const outputFormats = ['table', 'json', 'ndjson', 'csv', 'plain'] as const
export type OutputFormat = (typeof outputFormats)[number]

/** Where data goes: stdout, in the chosen format, and nothing else. */
export interface Printer {
  readonly format: OutputFormat
  /** Whether a program reads: json or ndjson. */
  readonly forPrograms: boolean
  /** Rows as they come. Tables and JSON wait for the last one. */
  list(rows: Iterable<unknown> | AsyncIterable<unknown>, columns: readonly Column[]): Promise<void>
  /** One record. */
  record(record: unknown, columns: readonly Column[]): Promise<void>
  /** Rows that do not end, each written at once; people see `line` of it. */
  follow(row: unknown, columns: readonly Column[], line: (row: unknown) => string): Promise<void>
  /** A text that is the data itself, such as a script; programs get `asRecord` instead, when there is one. */
  text(text: string, asRecord?: unknown): Promise<void>
}

/** How a printer was asked to print. */
export interface PrintOptions {
  readonly format: OutputFormat
  readonly fields: readonly string[] | undefined
}

const longTextOnTerminal = 48

/** The numbers of ECMA-48 that begin and end bold, green, red and yellow. */
const styles = { title: [1, 22], good: [32, 39], bad: [31, 39], busy: [33, 39] } as const

function lookOf(world: World): Look {
  const longText = world.stdout.isTTY ? longTextOnTerminal : undefined
  if (!takesColour(world, world.stdout)) return { paint: (text) => text, longText }
  return { paint: (text, tone) => `\u001b[${styles[tone][0]}m${text}\u001b[${styles[tone][1]}m`, longText }
}

/** Writes to stdout and waits when its reader is slow. */
async function write(world: World, text: string): Promise<void> {
  const { stdout, signal } = world
  if (text === '' || stdout.destroyed || stdout.write(text) || signal.aborted) return
  await new Promise<void>((resolve) => {
    const events = ['drain', 'close', 'error'] as const
    const end = () => {
      for (const event of events) stdout.off(event, end)
      signal.removeEventListener('abort', end)
      resolve()
    }
    for (const event of events) stdout.once(event, end)
    signal.addEventListener('abort', end)
  })
}

/** One row in a format of one line per row. */
function rowText(world: World, format: 'ndjson' | 'csv' | 'plain', row: unknown, fields: readonly string[]): string {
  if (format === 'ndjson') return `${safeJson(JSON.stringify(row))}\n`
  const values = fields.map((field) => bareText(valueAt(row, field)))
  if (format === 'plain') return `${values.map(safeLine).join('\t')}\n`
  return `${csvLine(world.stdout.isTTY ? values.map(safeText) : values)}\n`
}

function columnsFor(fields: readonly string[], columns: readonly Column[]): Column[] {
  return fields.map((field) => columns.find((column) => column.field === field) ?? { field, title: field })
}

/** The printer of one command. */
export function printerOf(world: World, { format, fields }: PrintOptions): Printer {
  let isFirst = true
  let hasTitles = false
  const shape = (row: unknown) => {
    if (fields === undefined) return row
    if (isFirst) requireFields(row, fields)
    isFirst = false
    return format === 'json' || format === 'ndjson' ? pick(row, fields) : row
  }
  const named = (columns: readonly Column[]) => fields ?? columns.map((column) => column.field)
  const shown = (columns: readonly Column[]) => (fields ? columnsFor(fields, columns) : columns)

  async function lines(rows: Iterable<unknown> | AsyncIterable<unknown>, columns: readonly Column[]) {
    const kind = format as 'ndjson' | 'csv' | 'plain'
    if (format === 'csv') await write(world, `${csvLine(named(columns))}\n`)
    for await (const row of rows) await write(world, rowText(world, kind, shape(row), named(columns)))
  }

  async function list(rows: Iterable<unknown> | AsyncIterable<unknown>, columns: readonly Column[]) {
    if (format !== 'table' && format !== 'json') return lines(rows, columns)
    const all: unknown[] = []
    for await (const row of rows) all.push(shape(row))
    if (format === 'json') return write(world, `${safeJson(JSON.stringify(all, null, 2))}\n`)
    const { drawTable } = await import('./table.ts')
    await write(world, await drawTable(all, shown(columns), lookOf(world)))
  }

  async function record(value: unknown, columns: readonly Column[]) {
    if (format === 'json') return write(world, `${safeJson(JSON.stringify(shape(value), null, 2))}\n`)
    if (format !== 'table') return lines([value], columns)
    const { drawRecord } = await import('./table.ts')
    await write(world, await drawRecord(shape(value), shown(columns), lookOf(world)))
  }

  async function follow(row: unknown, columns: readonly Column[], line: (row: unknown) => string) {
    if (format === 'table' && fields === undefined) return write(world, `${safeLine(line(row))}\n`)
    // A list without an end cannot be one JSON value, nor one table.
    const kind = format === 'json' ? 'ndjson' : format === 'table' ? 'plain' : format
    if (format === 'csv' && !hasTitles) await write(world, `${csvLine(named(columns))}\n`)
    hasTitles = true
    const shaped = shape(row)
    await write(world, rowText(world, kind, fields && kind === 'ndjson' ? pick(row, fields) : shaped, named(columns)))
  }

  const forPrograms = format === 'json' || format === 'ndjson'
  const text = (value: string, asRecord?: unknown) =>
    forPrograms && asRecord !== undefined
      ? record(asRecord, [])
      : write(world, world.stdout.isTTY ? safeText(value) : value)
  return { format, forPrograms, list, record, follow, text }
}
