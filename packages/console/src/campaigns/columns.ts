import { normalizePhone } from '@msgctl/contract/phone'
import { variableKey } from '@msgctl/contract/placeholders'

/** A file as it was read: the names of its columns and its lines. */
export interface Sheet {
  readonly name: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** A recipient as the service takes it. */
export interface SheetRecipient {
  readonly phone: string
  readonly variables: Readonly<Record<string, string>>
}

/** A line that is left out, as counted in the file. */
export interface BadLine {
  readonly line: number
  readonly text: string
}

/** The lines that decide which column has the numbers. */
const sampledRows = 30

/** Returns the index of the column with the phone numbers: the one with the most valid ones. */
export function findPhoneColumn(columns: readonly string[], rows: Sheet['rows']): number {
  const sample = rows.slice(0, sampledRows)
  const scores = columns.map(
    (_, index) => sample.filter((row) => normalizePhone(row[index] ?? '', { lid: false })).length,
  )
  const best = Math.max(0, ...scores)
  return best === 0 ? 0 : scores.indexOf(best)
}

/** Returns the names of the columns: trimmed, each once, with a name for those without one. */
export function nameColumns(cells: readonly string[]): string[] {
  const names: string[] = []
  for (const [index, cell] of cells.entries()) {
    const plain = variableKey(cell) || String(index + 1)
    names.push(names.includes(plain) ? `${plain} ${index + 1}` : plain)
  }
  return names
}

/** Returns the recipients of a sheet, and the lines without a valid number. The first line of a file has the names. */
export function recipientsOf(sheet: Sheet, phoneColumn: number): { good: SheetRecipient[]; bad: BadLine[] } {
  const good: SheetRecipient[] = []
  const bad: BadLine[] = []
  for (const [index, row] of sheet.rows.entries()) {
    const text = row[phoneColumn] ?? ''
    const phone = normalizePhone(text, { lid: false })
    if (phone === null) {
      bad.push({ line: index + 2, text })
      continue
    }
    const others = sheet.columns.flatMap((column, at) => (at === phoneColumn ? [] : [[column, row[at] ?? '']]))
    good.push({ phone, variables: Object.fromEntries(others) })
  }
  return { good, bad }
}
