import { createHash } from 'node:crypto'
import type { Secrets } from '@msgctl/network/secrets'
import * as z from 'zod'
import type { MovedTable } from './plan.ts'

const headerLine = z.strictObject({
  format: z.literal(2),
  organizationId: z.uuid(),
  /** The migrations of its database. */
  migrations: z.array(z.string()),
  /** A fingerprint of its tables and columns. */
  schema: z.string(),
  /** A fingerprint of each key of SECRETS_KEYS, by its id: the rows hold secrets that are encrypted with them. */
  keys: z.record(z.string(), z.string()),
})
/** The first line of an export. */
export type ExportHeader = z.infer<typeof headerLine>

/** Lines that are no rows begin with this character; rows are JSON objects. */
const mark = '#'

/** Returns the first line of a file. */
export function formatHeader(header: ExportHeader): string {
  return `${mark}${JSON.stringify(header)}\n`
}

/** Returns the line that begins the rows of a table: its position in the plan. A file names no table and no column. */
export function formatTable(position: number): string {
  return `${mark}${position}\n`
}

/** Returns the last line: a file without it is incomplete. */
export function formatEnd(rows: number): string {
  return `${mark}=${rows}\n`
}

/** Parses the first line; null for any other text. */
export function parseHeader(line: string): ExportHeader | null {
  if (!line.startsWith(mark)) return null
  try {
    return headerLine.safeParse(JSON.parse(line.slice(mark.length))).data ?? null
  } catch {
    return null
  }
}

/** What a line behind the first one is. */
export type ParsedLine = { readonly table: number } | { readonly rows: number } | 'row' | 'unknown'

/** Parses a line behind the first one. */
export function parseLine(line: string): ParsedLine {
  if (!line.startsWith(mark)) return 'row'
  const [, isEnd, number] = /^#(=?)(\d{1,15})$/.exec(line) ?? []
  if (number === undefined) return 'unknown'
  return isEnd === '=' ? { rows: Number(number) } : { table: Number(number) }
}

/** Returns a fingerprint of the tables of a plan, in their order, with their columns. */
export function schemaFingerprint(tables: readonly Pick<MovedTable, 'table' | 'columns'>[]): string {
  return createHash('sha256')
    .update(JSON.stringify(tables.map(({ table, columns }) => [table, columns])))
    .digest('hex')
}

/** Returns a fingerprint of each key, which shows whether another installation has the same. */
export function fingerprints(secretsKeys: string | undefined, secrets: Secrets): Record<string, string> {
  const ids = (secretsKeys ?? '').split(',').flatMap((entry) => entry.trim().split(':')[0] || [])
  return Object.fromEntries(
    ids.map((id) => [id, secrets.derive('msgctl fingerprint', id)?.key.toString('base64').slice(0, 16) ?? '']),
  )
}
