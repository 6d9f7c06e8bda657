import { limits } from '@msgctl/contract/limits'
import { normalizePhone } from '@msgctl/contract/phone'
import type { Host } from '../host.ts'
import { readCsv } from './csv-records.ts'
import { shownCell } from './csv-table.ts'

/** One row of a list of phones. */
export interface PhoneRow {
  /** Where the row ends in its file, from 1; null for what was typed. */
  readonly line: number | null
  /** As it was written. */
  readonly text: string
  /** Digits, or an id ending in @lid; null when the text is neither. */
  readonly phone: string | null
}

/** A list of phones, each of them once. */
export interface PhoneList {
  readonly rows: readonly PhoneRow[]
  /** How many rows were left out because their phone stood in the list before. */
  readonly duplicates: number
}

/** The phones that were typed as arguments. */
export function typedPhones(texts: readonly string[]): PhoneList {
  return onceEach(texts.map((text) => rowOf(text, null)))
}

/**
 * The phones of a file, or of stdin for `-`: one in each line, or CSV with commas, semicolons or tabs. The column is the
 * one that the first line calls phone, else the first. Throws a usage failure when the file cannot be read.
 */
export async function readPhones(host: Host, file: string): Promise<PhoneList> {
  const records = await readCsv(host, file)
  const [first] = records
  const named = first?.cells.findIndex((cell) => cell.toLowerCase() === 'phone') ?? -1
  const body = named === -1 ? records : records.slice(1)
  return onceEach(body.map(({ cells, line }) => rowOf(cells[Math.max(0, named)] ?? '', line)))
}

function rowOf(text: string, line: number | null): PhoneRow {
  return { line, text, phone: normalizePhone(text, { lid: true }) }
}

function onceEach(all: readonly PhoneRow[]): PhoneList {
  const rows = new Map<string, PhoneRow>()
  let duplicates = 0
  for (const row of all) {
    const key = row.phone ?? `line ${row.line} ${row.text}`
    if (row.phone !== null && rows.has(key)) duplicates += 1
    else rows.set(key, row)
  }
  return { rows: [...rows.values()], duplicates }
}

/** What is wrong with a phone where an id ending in `@lid` is not taken, or undefined. */
export function numberFault(text: string): string | undefined {
  const digits = normalizePhone(text, { lid: false })
  const { min, max } = limits.phoneNumber
  const isNumber = digits !== null && digits.length >= min && digits.length <= max
  return isNumber ? undefined : `${shownCell(text)} is not a phone number`
}

/** Says how many rows were left out because they stood in the list before. */
export function duplicatesNote(duplicates: number): string[] {
  if (duplicates === 0) return []
  return [duplicates === 1 ? '1 row repeats another one.' : `${duplicates} rows repeat others.`]
}
