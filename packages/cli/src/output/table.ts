import type { Column } from './columns.ts'
import { shownText, valueAt } from './columns.ts'
import { sanitizeLine, shortened } from './sanitize.ts'

/** The style of a table. */
export interface TableStyle {
  /** Colours a status or a title. */
  paint(text: string, tone: Tone): string
  /** The maximum length of long text in characters; undefined means no limit. */
  readonly longText: number | undefined
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

function cell(column: Column, record: unknown, style: TableStyle): string {
  const value = valueAt(record, column.field)
  const line = sanitizeLine(column.show ? column.show(value) : shownText(value))
  const text = column.long && style.longText !== undefined ? shortened(line, style.longText) : line
  const tone = column.field.toLowerCase().endsWith('status') ? tones[text.toLowerCase()] : undefined
  return tone === undefined ? text : style.paint(text, tone)
}

async function render(rows: readonly (readonly string[])[]): Promise<string> {
  // Loaded on first use, because no other output needs it.
  const { default: Table } = await import('cli-table3')
  const style = { head: [], border: [], compact: true, 'padding-left': 0, 'padding-right': 0 }
  const table = new Table({ chars, style })
  table.push(...rows.map((row) => [...row]))
  const lines = table.toString().split('\n')
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`
}

/** Returns rows below a line of titles, or an empty text without rows. */
export async function drawTable(
  rows: readonly unknown[],
  columns: readonly Column[],
  style: TableStyle,
): Promise<string> {
  if (rows.length === 0) return ''
  const head = columns.map((column) => style.paint(column.title.toUpperCase(), 'title'))
  return render([head, ...rows.map((row) => columns.map((column) => cell(column, row, style)))])
}

/** Returns one record with a line for each value. */
export async function drawRecord(record: unknown, columns: readonly Column[], style: TableStyle): Promise<string> {
  return render(columns.map((column) => [style.paint(column.title, 'title'), cell(column, record, style)]))
}
