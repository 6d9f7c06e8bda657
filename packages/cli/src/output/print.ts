import type { Host } from '../host.ts'
import { supportsColour } from '../host.ts'
import { bareText, type Column, pick, valueAt } from './columns.ts'
import { type FieldChoice, FieldSelection } from './field-selection.ts'
import { csvLine, sanitizeJson, sanitizeLine, sanitizeText } from './sanitize.ts'
import type { TableStyle } from './table.ts'
import { createTimes, type Times } from './times.ts'

export const outputFormats = ['table', 'json', 'ndjson', 'csv', 'plain'] as const
export type OutputFormat = (typeof outputFormats)[number]

/** Returns whether a format is json or ndjson. */
export function isMachineFormat(format: OutputFormat): boolean {
  return format === 'json' || format === 'ndjson'
}

/** Prints data on stdout, in the selected format. */
export interface Printer {
  readonly format: OutputFormat
  /** Whether the format is json or ndjson. */
  readonly isMachineReadable: boolean
  readonly times: Times
  /** Prints rows as they arrive. Tables and JSON wait for the last one. Without any row it notes `empty`. */
  list(rows: Iterable<unknown> | AsyncIterable<unknown>, columns: readonly Column[], empty?: string): Promise<void>
  /** Prints one record. */
  record(record: unknown, columns: readonly Column[]): Promise<void>
  /** Prints a row of an endless list immediately; a table shows `line(row)`. */
  follow(row: unknown, columns: readonly Column[], line: (row: unknown) => string): Promise<void>
  /** Prints text that is the data, such as a script; machine-readable formats print `asRecord` instead, if given. */
  text(text: string, asRecord?: unknown): Promise<void>
  /** Prints a record that is not a response, such as the request of a dry run; --fields does not apply. */
  document(record: unknown): Promise<void>
}

/** The options of a printer. */
export interface PrintOptions extends FieldChoice {
  readonly format: OutputFormat
  /** Whether the user selected the format. A table by default is tab-separated without a terminal. */
  readonly isFormatGiven: boolean
  /** Whether times are shown in UTC on a terminal, too. */
  readonly utc: boolean
  /** A jq program that is applied to the JSON. */
  readonly jq: string | undefined
  /** Reports that a list is empty. */
  readonly note: (text: string) => void
}

const defaultColumns = 80

/** The ECMA-48 codes that start and end bold, green, red and yellow. */
const styles = { title: [1, 22], good: [32, 39], bad: [31, 39], busy: [33, 39] } as const

function tableStyle(host: Host, times: Times): TableStyle {
  const width = host.stdout.isTTY ? host.stdout.columns || defaultColumns : undefined
  if (!supportsColour(host, host.stdout)) return { paint: (text) => text, width, times }
  return { paint: (text, tone) => `\u001b[${styles[tone][0]}m${text}\u001b[${styles[tone][1]}m`, width, times }
}

/** Writes to stdout, and waits while its buffer is full. */
async function write(host: Host, text: string): Promise<void> {
  const { stdout, signal } = host
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

/** Returns one row in a line-based format. */
function rowText(format: 'ndjson' | 'csv' | 'plain', row: unknown, fields: readonly string[]): string {
  if (format === 'ndjson') return `${sanitizeJson(JSON.stringify(row))}\n`
  const values = fields.map((field) => bareText(valueAt(row, field)))
  if (format === 'plain') return `${values.map(sanitizeLine).join('\t')}\n`
  return `${csvLine(values)}\n`
}

/** Returns the column of a field, which may be named by its title: `number` for `containerId`. */
function columnNamed(name: string, columns: readonly Column[]): Column | undefined {
  const title = name.toLowerCase()
  return (
    columns.find(({ field }) => field === name) ??
    columns.find((column) => column.title.toLowerCase().replaceAll(' ', '-') === title)
  )
}

function columnsFor(fields: readonly string[], columns: readonly Column[]): Column[] {
  return fields.map((field) => columnNamed(field, columns) ?? { field, title: field })
}

/** Creates the printer of one command. */
export function createPrinter(host: Host, options: PrintOptions): Printer {
  const { format, fields, note } = options
  const times = createTimes(host, options.utc)
  const isTabbed = format === 'table' && !options.isFormatGiven && host.stdout.isTTY !== true
  const selection = new FieldSelection(options)
  let isFirst = true
  const isMachineReadable = isMachineFormat(format)
  const shape = (row: unknown) => (fields && isMachineReadable ? pick(row, fields) : row)
  const shown = (columns: readonly Column[]) =>
    fields ? columnsFor(fields, columns) : columns.filter(({ onRequest }) => !onRequest)
  const named = (columns: readonly Column[]) => shown(columns).map((column) => column.field)
  const titles = (columns: readonly Column[]) => (format === 'csv' ? `${csvLine(named(columns))}\n` : '')

  async function writeJson(value: unknown): Promise<void> {
    if (options.jq === undefined) return write(host, `${sanitizeJson(JSON.stringify(value, null, 2))}\n`)
    const { applyJq } = await import('./jq.ts')
    for (const result of await applyJq(options.jq, value)) {
      const text = typeof result === 'string' ? sanitizeText(result) : sanitizeJson(JSON.stringify(result, null, 2))
      await write(host, `${text}\n`)
    }
  }

  async function lines(rows: Iterable<unknown> | AsyncIterable<unknown>, columns: readonly Column[]) {
    const kind = format as 'ndjson' | 'csv' | 'plain'
    const selected = named(columns)
    // Titles are printed with the first row, so that a rejected call or field prints nothing.
    let above = titles(columns)
    for await (const row of selection.known(rows, columns)) {
      await write(host, above + rowText(kind, shape(row), selected))
      above = ''
    }
    await write(host, above)
  }

  async function* noting(rows: Iterable<unknown> | AsyncIterable<unknown>, empty: string) {
    let isEmpty = true
    for await (const row of rows) {
      isEmpty = false
      yield row
    }
    if (isEmpty) note(empty)
  }

  async function list(
    given: Iterable<unknown> | AsyncIterable<unknown>,
    columns: readonly Column[],
    empty = 'Nothing found.',
  ) {
    const rows = noting(given, empty)
    if (format !== 'table' && format !== 'json') return lines(rows, columns)
    const all: unknown[] = []
    for await (const row of rows) all.push(row)
    selection.requireKnown(all, columns)
    if (format === 'json') return writeJson(all.map(shape))
    const { drawTable, tabbedRows } = await import('./table.ts')
    if (isTabbed) return write(host, tabbedRows(all, shown(columns)))
    await write(host, await drawTable(all, shown(columns), tableStyle(host, times)))
  }

  async function record(value: unknown, columns: readonly Column[]) {
    if (format !== 'table' && format !== 'json') return lines([value], columns)
    selection.requireKnown([value], columns)
    if (format === 'json') return writeJson(shape(value))
    const { drawRecord, tabbedRecord } = await import('./table.ts')
    if (isTabbed) return write(host, tabbedRecord(value, shown(columns)))
    await write(host, await drawRecord(value, shown(columns), tableStyle(host, times)))
  }

  async function follow(row: unknown, columns: readonly Column[], line: (row: unknown) => string) {
    if (format === 'table' && fields === undefined) {
      const shown = sanitizeLine(line(row))
      const { isTTY, columns: width } = host.stdout
      // A program reads the line as it is.
      return write(host, `${isTTY ? (await import('./fit.ts')).fitLine(shown, width || defaultColumns) : shown}\n`)
    }
    // An endless list cannot be one JSON value or one table.
    const kind = format === 'json' ? 'ndjson' : format === 'table' ? 'plain' : format
    // There is no waiting for later rows: the first one defines the fields.
    if (isFirst) selection.requireKnown([row], columns)
    const above = isFirst ? titles(columns) : ''
    isFirst = false
    await write(host, above + rowText(kind, shape(row), named(columns)))
  }

  const text = (value: string, asRecord?: unknown) =>
    isMachineReadable && asRecord !== undefined
      ? record(asRecord, [])
      : write(host, host.stdout.isTTY ? sanitizeText(value) : value)
  const document = (value: unknown) => createPrinter(host, { ...options, fields: undefined }).record(value, [])
  return { format, isMachineReadable, times, list, record, follow, text, document }
}
