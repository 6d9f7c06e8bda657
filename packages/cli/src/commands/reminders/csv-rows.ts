import { limits } from '@msgctl/contract/limits'
import type { Host } from '../../host.ts'
import { readTable, shownCell, type TableRow, variableFaults } from '../../input/csv-table.ts'
import { numberFault } from '../../input/phone-list.ts'
import type { RowError } from '../../input/row-errors.ts'

/** One row of an import, with the line where it ends in its file. */
export interface ReminderRow {
  readonly line: number
  readonly phone: string
  readonly sendAt: string
  readonly label?: string
  readonly timeZone?: string
  readonly variables?: Readonly<Record<string, string>>
}

/** The rows of a file: those that can be sent, and what is wrong with the others. */
export interface ReminderRows {
  readonly good: readonly ReminderRow[]
  readonly bad: readonly RowError[]
}

const shape = { required: ['phone', 'sendAt'], optional: ['label', 'timeZone'], example: 'phone,sendAt,label,name' }
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/

/** What is wrong with a time as it was typed, or undefined. */
export function instantFault(text: string): string | undefined {
  if (instant.test(text) && !Number.isNaN(Date.parse(text))) return undefined
  return `${shownCell(text)} is no time with Z or an offset, like 2027-01-31T09:00:00+01:00`
}

/**
 * The rows of a CSV file, or of stdin for `-`. The first line names the columns: phone and sendAt, if wanted label and
 * timeZone, and every other column is a variable of that name. Throws a usage failure when the file cannot be read, is no
 * CSV, lacks one of the two columns or holds no row.
 */
export async function readReminderRows(host: Host, file: string): Promise<ReminderRows> {
  const good: ReminderRow[] = []
  const bad: RowError[] = []
  for (const row of await readTable(host, file, shape)) {
    const read = rowOf(row)
    const faults = [...row.faults, ...faultsOf(read)]
    if (faults.length > 0) bad.push({ at: { line: row.line }, fault: faults.join('; ') })
    else good.push(read)
  }
  return { good, bad }
}

function rowOf({ line, cell, variables }: TableRow): ReminderRow {
  return {
    line,
    phone: cell('phone'),
    sendAt: cell('sendat'),
    ...(cell('label') !== '' && { label: cell('label') }),
    ...(cell('timezone') !== '' && { timeZone: cell('timezone') }),
    ...(Object.keys(variables).length > 0 && { variables }),
  }
}

function faultsOf({ phone, sendAt, label, variables }: ReminderRow): string[] {
  const isLong = (label?.length ?? 0) > limits.label
  return [
    numberFault(phone),
    instantFault(sendAt),
    isLong ? `the label has more than ${limits.label} characters` : undefined,
    ...variableFaults(variables ?? {}),
  ].filter((fault) => fault !== undefined)
}
