import { wrapAnsi } from 'fast-wrap-ansi'
import { bareText, type Column, shownPhone, shownText, valueAt } from './columns.ts'
import { fitColumns, widthOfTable } from './fit.ts'
import { sanitizeLine } from './sanitize.ts'
import { isInstant, type Times } from './times.ts'

/** The style of a table. */
export interface TableStyle {
  /** Colours a status or a title. */
  paint(text: string, tone: Tone): string
  readonly times: Times
  /** The width of the terminal; undefined for any width. */
  readonly width: number | undefined
}

type Tone = 'title' | 'good' | 'bad' | 'busy'

const tones: Readonly<Record<string, Tone>> = {
  sent: 'good',
  delivered: 'good',
  read: 'good',
  working: 'good',
  done: 'good',
  completed: 'good',
  failed: 'bad',
  dropped: 'bad',
  cancelled: 'bad',
  unreachable: 'bad',
  queued: 'busy',
  sending: 'busy',
  pending: 'busy',
  scheduled: 'busy',
  paused: 'busy',
  starting: 'busy',
  scan_qr_code: 'busy',
}

function toneOf(column: Column, text: string): Tone | undefined {
  return column.field.toLowerCase().endsWith('status') ? tones[text.toLowerCase()] : undefined
}

function textOf(column: Column, record: unknown, time: (iso: string) => string): string {
  const value = valueAt(record, column.field)
  if (column.show) return sanitizeLine(column.show(value))
  return isInstant(value) ? time(value) : sanitizeLine(shownPhone(column.field, value) ?? shownText(value))
}

/** No borders, and two spaces between columns. */
const chars = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '  ',
}

/** Lays out rows of cells. Cells that are wider than their column are cut. */
async function render(rows: readonly (readonly string[])[], widths: readonly number[] = []): Promise<string> {
  // Loaded on first use, because no other output needs it.
  const { default: Table } = await import('cli-table3')
  const style = { head: [], border: [], compact: true, 'padding-left': 0, 'padding-right': 0 }
  const table = new Table({ chars, style, colWidths: [...widths] })
  table.push(...rows.map((row) => [...row]))
  const lines = table.toString().split('\n')
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`
}

/** Returns rows below a line of titles, or an empty text without rows. */
export async function drawTable(
  rows: readonly unknown[],
  columns: readonly Column[],
  { times, paint, width = Number.POSITIVE_INFINITY }: TableStyle,
): Promise<string> {
  if (rows.length === 0) return ''
  const all = columns.map((column) => ({
    cells: [
      column.title.toUpperCase(),
      ...rows.map((row) => textOf(column, row, column.exact ? times.absolute : times.relative)),
    ],
    long: column.long === true,
    spare: column.spare === true,
  }))
  const last = columns.at(-1)
  if (last?.whole && widthOfTable(all) > width) {
    const [titles, ...lines] = (await drawTable(rows, columns.slice(0, -1), { times, paint, width }))
      .trimEnd()
      .split('\n')
    const below = lines.flatMap((line, row) => [
      line,
      ...wrapAnsi(textOf(last, rows[row], times.relative), width - 2)
        .split('\n')
        .map((part) => `  ${part}`),
    ])
    return `${[titles, ...below].join('\n')}\n`
  }
  const { kept, cells, widths } = fitColumns(all, width)
  const cell = (row: number, index: number) => {
    const text = cells[index]?.[row] ?? ''
    const tone = row === 0 ? 'title' : toneOf(columns[kept[index] ?? 0] as Column, text)
    return tone === undefined ? text : paint(text, tone)
  }
  return render(
    Array.from({ length: rows.length + 1 }, (_, row) => kept.map((_column, index) => cell(row, index))),
    widths,
  )
}

/** The shortest width that the values of a record are wrapped to. */
const shortestValue = 20

/** Returns one record with each value in a line, or in several on a narrow terminal. Nothing is cut. */
export async function drawRecord(
  record: unknown,
  columns: readonly Column[],
  { paint, times, width = Number.POSITIVE_INFINITY }: TableStyle,
): Promise<string> {
  const titles = Math.max(0, ...columns.map(({ title }) => title.length))
  const room = Math.max(shortestValue, width - titles - 2)
  return render(
    columns.map((column) => {
      const text = wrapAnsi(textOf(column, record, times.absolute), room)
      const tone = toneOf(column, text)
      return [paint(column.title, 'title'), tone === undefined ? text : paint(text, tone)]
    }),
  )
}

/** Returns rows as lines of values with tabs between them, for programs: nothing is cut, and there are no titles. */
export function tabbedRows(rows: readonly unknown[], columns: readonly Column[]): string {
  return rows
    .map((row) => `${columns.map((column) => sanitizeLine(bareText(valueAt(row, column.field)))).join('\t')}\n`)
    .join('')
}

/** Returns one record as lines of title, tab and value. */
export function tabbedRecord(record: unknown, columns: readonly Column[]): string {
  return columns.map((column) => `${column.title}\t${sanitizeLine(bareText(valueAt(record, column.field)))}\n`).join('')
}
