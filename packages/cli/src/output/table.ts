import type { Column } from './columns.ts'
import { shownText, valueAt } from './columns.ts'
import { sanitizeLine, shortened } from './sanitize.ts'

/** How a table may look. */
export interface TableStyle {
  /** Colours the text of a status word or a title. */
  paint(text: string, tone: Tone): string
  /** Where long text is cut, in characters; undefined leaves it whole. */
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

/** No borders at all, and two blanks between columns. */
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

function cell(column: Column, record: unknown, look: TableStyle): string {
  const value = valueAt(record, column.field)
  const line = sanitizeLine(column.show ? column.show(value) : shownText(value))
  const text = column.long && look.longText !== undefined ? shortened(line, look.longText) : line
  const tone = column.field.toLowerCase().endsWith('status') ? tones[text.toLowerCase()] : undefined
  return tone === undefined ? text : look.paint(text, tone)
}

async function render(rows: readonly (readonly string[])[]): Promise<string> {
  // Loaded when a table is drawn: no other output needs it.
  const { default: Table } = await import('cli-table3')
  const style = { head: [], border: [], compact: true, 'padding-left': 0, 'padding-right': 0 }
  const table = new Table({ chars, style })
  table.push(...rows.map((row) => [...row]))
  const lines = table.toString().split('\n')
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`
}

/** Rows under a line of titles. Without rows there is nothing to draw. */
export async function drawTable(
  rows: readonly unknown[],
  columns: readonly Column[],
  look: TableStyle,
): Promise<string> {
  if (rows.length === 0) return ''
  const head = columns.map((column) => look.paint(column.title.toUpperCase(), 'title'))
  return render([head, ...rows.map((row) => columns.map((column) => cell(column, row, look)))])
}

/** One record, a line for each value. */
export async function drawRecord(record: unknown, columns: readonly Column[], look: TableStyle): Promise<string> {
  return render(columns.map((column) => [look.paint(column.title, 'title'), cell(column, record, look)]))
}
