import { limits } from '@msgctl/contract/limits'
import { normalizePhone } from '@msgctl/contract/phone'
import { usageFailure } from '../errors/exit-codes.ts'
import type { Host } from '../host.ts'
import { readCsv, shownCell } from './csv.ts'

/** One row of a list of phones. */
export interface PhoneRow {
  /** The line where the row ends in its file, from 1; null for an argument. */
  readonly line: number | null
  /** The original text. */
  readonly text: string
  /** Digits, or an id ending in @lid; null when the text is neither. */
  readonly phone: string | null
}

/** A list of phones without duplicates. */
export interface PhoneList {
  readonly rows: readonly PhoneRow[]
  /** The number of rows left out because they repeat a phone. */
  readonly duplicates: number
}

/** Returns the phones given as arguments. */
export function typedPhones(texts: readonly string[]): PhoneList {
  return withoutDuplicates(texts.map((text) => toRow(text, null)))
}

/**
 * Reads the phones of a file, or of stdin for `-`: one per line, or CSV with commas, semicolons or tabs. Uses the
 * column named phone, else the first one. Throws a usage error when the file cannot be read.
 */
export async function readPhones(host: Host, file: string): Promise<PhoneList> {
  const records = await readCsv(host, file)
  const [first] = records
  const named = first?.cells.findIndex((cell) => cell.toLowerCase() === 'phone') ?? -1
  const body = named === -1 ? records : records.slice(1)
  return withoutDuplicates(body.map(({ cells, line }) => toRow(cells[Math.max(0, named)] ?? '', line)))
}

function toRow(text: string, line: number | null): PhoneRow {
  return { line, text, phone: normalizePhone(text, { lid: true }) }
}

function withoutDuplicates(all: readonly PhoneRow[]): PhoneList {
  const rows = new Map<string, PhoneRow>()
  let duplicates = 0
  for (const row of all) {
    const key = row.phone ?? `line ${row.line} ${row.text}`
    if (row.phone !== null && rows.has(key)) duplicates += 1
    else rows.set(key, row)
  }
  return { rows: [...rows.values()], duplicates }
}

/** Returns why the text is not a phone number, or undefined. Ids ending in `@lid` are not accepted. */
export function numberFault(text: string): string | undefined {
  const digits = normalizePhone(text, { lid: false })
  const { min, max } = limits.phoneNumber
  const isNumber = digits !== null && digits.length >= min && digits.length <= max
  return isNumber ? undefined : `${shownCell(text)} is not a phone number`
}

/**
 * Throws a usage error unless the text is a phone number or an id ending in `@lid`. The service would report the length
 * of a text such as a name.
 */
export function requirePhone(text: string): void {
  if (normalizePhone(text, { lid: true }) !== null) return
  throw usageFailure(
    `${shownCell(text)} is not a phone number; it must be an international number like +12025550100.`,
    'The phone number comes first, then the text.',
  )
}

/** Returns a note with the number of duplicate rows, if there are any. */
export function duplicatesNote(duplicates: number): string[] {
  if (duplicates === 0) return []
  return [duplicates === 1 ? 'Skipped 1 duplicate row.' : `Skipped ${duplicates} duplicate rows.`]
}
