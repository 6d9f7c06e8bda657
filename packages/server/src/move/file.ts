import type { Secrets } from '../secrets.ts'

/** The first line of an export. */
export interface ExportHeader {
  readonly format: 1
  readonly organizationId: string
  readonly name: string
  /** Whether the organization was closed for a move, so that nothing of it can happen in two places. */
  readonly closed: boolean
  /** The migrations of its database. */
  readonly migrations: readonly string[]
  /** A fingerprint of each key of SECRETS_KEYS, by its id. */
  readonly keys: Readonly<Record<string, string>>
}

/** Begins the rows of a table. */
export interface TableLine {
  readonly table: string
  readonly columns: readonly string[]
  readonly isDerived: boolean
  readonly ofPeople: string | null
}

/** The last line: a file without it is incomplete. */
export interface EndLine {
  readonly rows: number
}

/** Lines that are no rows begin with this character; rows are JSON objects. */
export const mark = '#'

/** Returns a line that is no row. */
export function formatMark(line: ExportHeader | TableLine | EndLine): string {
  return `${mark}${JSON.stringify(line)}\n`
}

/** Returns a fingerprint of each key, which shows whether another installation has the same. */
export function fingerprints(secretsKeys: string | undefined, secrets: Secrets): Record<string, string> {
  const ids = (secretsKeys ?? '').split(',').flatMap((entry) => entry.trim().split(':')[0] || [])
  return Object.fromEntries(
    ids.map((id) => [id, secrets.derive('msgctl fingerprint', id)?.key.toString('base64').slice(0, 16) ?? '']),
  )
}
