import { limits } from '@msgctl/contract/limits'
import type { Host } from '../../host.ts'
import { readTable, shownCell, type TableRow, variableFaults } from '../../input/csv.ts'
import type { RowError } from '../../input/invalid-rows.ts'
import { asRequested, readWrittenPhones, type WrittenPhone } from '../../input/written-phone.ts'

/** One row of an import, with the line where it ends in its file. */
interface ReminderRow {
  readonly line: number
  readonly phone: string
  readonly sendAt: string
  readonly label?: string
  readonly timeZone?: string
  readonly variables?: Readonly<Record<string, string>>
}

/** The rows of a file: the valid ones, and the errors of the others. */
export interface ReminderRows {
  readonly valid: readonly ReminderRow[]
  /** The phones of the valid rows, as they were written. */
  readonly phones: readonly WrittenPhone[]
  readonly errors: readonly RowError[]
}

const shape = { required: ['phone', 'sendAt'], optional: ['label', 'timeZone'], example: 'phone,sendAt,label,name' }
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/

/** Returns why the text is not a time, or undefined. */
function instantFault(text: string): string | undefined {
  if (instant.test(text) && !Number.isNaN(Date.parse(text))) return undefined
  return `${shownCell(text)} is not a time with Z or an offset, such as 2027-01-31T09:00:00+01:00`
}

/**
 * Reads the rows of a CSV file, or of stdin for `-`. The first line names the columns: phone and sendAt, optionally
 * label and timeZone; every other column is a variable. Throws a usage error when the file cannot be read, is not CSV,
 * has no row, or lacks one of the two required columns.
 */
export async function readReminderRows(host: Host, file: string): Promise<ReminderRows> {
  const valid: ReminderRow[] = []
  const phones: WrittenPhone[] = []
  const errors: RowError[] = []
  const rows = await readTable(host, file, shape)
  const written = await readWrittenPhones(
    rows.map(({ cell }) => cell('phone')),
    { lid: false },
  )
  for (const [at, phone] of written.entries()) {
    const row = rows[at]
    if (!row) continue
    const parsed = { ...toRow(row), phone: asRequested(phone) }
    const faults = [...row.faults, phone.fault, ...findFaults(parsed)].filter((fault) => fault !== undefined)
    if (faults.length > 0) errors.push({ at: { line: row.line }, fault: faults.join('; ') })
    else {
      valid.push(parsed)
      phones.push(phone)
    }
  }
  return { valid, phones, errors }
}

function toRow({ line, cell, variables }: TableRow): ReminderRow {
  return {
    line,
    phone: cell('phone'),
    sendAt: cell('sendat'),
    ...(cell('label') !== '' && { label: cell('label') }),
    ...(cell('timezone') !== '' && { timeZone: cell('timezone') }),
    ...(Object.keys(variables).length > 0 && { variables }),
  }
}

function findFaults({ sendAt, label, variables }: ReminderRow): string[] {
  const isLong = (label?.length ?? 0) > limits.label
  return [
    instantFault(sendAt),
    isLong ? `the label is longer than ${limits.label} characters` : undefined,
    ...variableFaults(variables ?? {}),
  ].filter((fault) => fault !== undefined)
}
