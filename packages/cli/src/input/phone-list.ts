import type { Host } from '../host.ts'
import { readCsv } from './csv.ts'
import type { RowError } from './invalid-rows.ts'
import { readWrittenPhones, type WrittenPhone } from './written-phone.ts'

/** One row of a list of phones. */
export interface PhoneRow extends WrittenPhone {
  /** The line where the row ends in its file, from 1; null for an argument. */
  readonly line: number | null
}

/** A list of phones without duplicates. */
export interface PhoneList {
  readonly rows: readonly PhoneRow[]
  /** The number of rows left out because they repeat a phone. */
  readonly duplicates: number
}

/** Returns the phones given as arguments. */
export async function typedPhones(texts: readonly string[]): Promise<PhoneList> {
  const written = await readWrittenPhones(texts, { lid: true })
  return withoutDuplicates(written.map((phone) => ({ ...phone, line: null })))
}

/**
 * Reads the phones of a file, or of stdin for `-`: one per line, or CSV with commas, semicolons or tabs. Uses the
 * column named phone, else the first one. With `lid` (default: true), ids ending in `@lid` are phones too. Throws a
 * usage error when the file cannot be read.
 */
export async function readPhones(host: Host, file: string, { lid = true } = {}): Promise<PhoneList> {
  const records = await readCsv(host, file)
  const [first] = records
  const named = first?.cells.findIndex((cell) => cell.toLowerCase() === 'phone') ?? -1
  const body = named === -1 ? records : records.slice(1)
  const texts = body.map(({ cells }) => cells[Math.max(0, named)] ?? '')
  const written = await readWrittenPhones(texts, { lid })
  return withoutDuplicates(written.map((phone, at) => ({ ...phone, line: body[at]?.line ?? null })))
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

/** Separates the rows with a phone from the invalid ones. */
export function splitRows(rows: readonly PhoneRow[]): {
  readonly accepted: readonly (PhoneRow & { readonly phone: string })[]
  readonly errors: readonly RowError[]
} {
  return {
    accepted: rows.flatMap(({ phone, ...row }) => (phone === null ? [] : [{ ...row, phone }])),
    errors: rows.flatMap(({ line, fault = '' }) => (fault === '' ? [] : [{ at: { line: line ?? 0 }, fault }])),
  }
}

/** Returns a note with the number of duplicate rows, if there are any. */
export function duplicatesNote(duplicates: number): string[] {
  if (duplicates === 0) return []
  return [duplicates === 1 ? 'Skipped 1 duplicate row.' : `Skipped ${duplicates} duplicate rows.`]
}
