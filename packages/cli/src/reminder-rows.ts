import { limits } from '@msgctl/contract/limits'
import { normalizePhone } from '@msgctl/contract/phone'
import { readCsv } from './csv-records.ts'
import { usageFailure } from './exit-codes.ts'
import { safeLine } from './terminal-text.ts'
import type { World } from './world.ts'

/** One row of an import, with the line where it ends in its file. */
export interface ReminderRow {
  readonly line: number
  readonly phone: string
  readonly sendAt: string
  readonly label?: string
  readonly timeZone?: string
  readonly variables?: Readonly<Record<string, string>>
}

/** What is wrong with one row. */
interface BadRow {
  readonly line: number
  readonly fault: string
}

/** The rows of a file: those that can be sent, and what is wrong with the others. */
export interface ReminderRows {
  readonly good: readonly ReminderRow[]
  readonly bad: readonly BadRow[]
}

const own = ['phone', 'sendat', 'label', 'timezone']
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/

/**
 * The rows of a CSV file, or of stdin for `-`. The first line names the columns: phone and sendAt, if wanted label and
 * timeZone, and every other column is a variable of that name. Throws a usage failure when the file cannot be read, is no
 * CSV, lacks one of the two columns or holds no row.
 */
export async function readReminderRows(world: World, file: string): Promise<ReminderRows> {
  const [header, ...body] = await readCsv(world, file)
  const names = header?.cells ?? []
  const known = names.map((name) => name.toLowerCase())
  for (const name of ['phone', 'sendAt']) {
    if (!known.includes(name.toLowerCase())) {
      throw usageFailure(`The first line has no column ${name}.`, 'It names the columns: phone,sendAt,label,name')
    }
  }
  if (body.length === 0) throw usageFailure('There is no row below the first line.')
  const good: ReminderRow[] = []
  const bad: BadRow[] = []
  for (const { cells, line } of body) {
    const faults = cells.length === names.length ? [] : [`has ${cells.length} columns, the first line ${names.length}`]
    const row = rowOf(names, cells, line)
    faults.push(...faultsOf(row))
    if (faults.length > 0) bad.push({ line, fault: faults.join('; ') })
    else good.push(row)
  }
  return { good, bad }
}

function rowOf(names: readonly string[], cells: readonly string[], line: number): ReminderRow {
  const cell = (name: string) => cells[names.findIndex((each) => each.toLowerCase() === name)] ?? ''
  const values = names.flatMap((name, n) => (own.includes(name.toLowerCase()) ? [] : [[name, cells[n] ?? ''] as const]))
  return {
    line,
    phone: cell('phone'),
    sendAt: cell('sendat'),
    ...(cell('label') !== '' && { label: cell('label') }),
    ...(cell('timezone') !== '' && { timeZone: cell('timezone') }),
    ...(values.length > 0 && { variables: Object.fromEntries(values) }),
  }
}

function faultsOf({ phone, sendAt, label, variables }: ReminderRow): string[] {
  const faults: string[] = []
  const digits = normalizePhone(phone, { lid: false })
  const { min, max } = limits.phoneNumber
  if (digits === null || digits.length < min || digits.length > max)
    faults.push(`${shown(phone)} is not a phone number`)
  if (!instant.test(sendAt) || Number.isNaN(Date.parse(sendAt))) {
    faults.push(`${shown(sendAt)} is no time with Z or an offset, like 2027-01-31T09:00:00+01:00`)
  }
  if ((label?.length ?? 0) > limits.label) faults.push(`the label has more than ${limits.label} characters`)
  for (const [name, value] of Object.entries(variables ?? {})) {
    if (value.length > limits.variables.value)
      faults.push(`${shown(name)} has more than ${limits.variables.value} characters`)
  }
  return faults
}

function shown(text: string): string {
  return text === '' ? 'an empty cell' : safeLine(text)
}
