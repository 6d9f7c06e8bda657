import { parseKeyId, type SecretLocation, type Secrets, SecretsKeyMissing } from '../secrets.ts'

/** A stored secret with its row and its place. */
interface SealedRow {
  readonly id: string
  readonly sealed: string
  readonly place: SecretLocation
}

/** A column of secrets: how to list those of other keys by id, and how to write one. */
export interface SealedColumn {
  list(page: { readonly after: string | null; readonly limit: number }): Promise<readonly SealedRow[]>
  /** Writes a secret unless it changed since it was read. Returns whether it was written. */
  write(row: SealedRow, becomes: string): Promise<boolean>
}

/** Counts of what was re-encrypted and of what could not be read. */
export interface ColumnCounts {
  resealed: number
  readonly unreadable: Record<string, number>
  damaged: number
  left: number
}

/** Re-encrypts the secrets of a column with the first key. Those that cannot be decrypted stay unchanged and are counted. */
export async function resealColumn(secrets: Secrets, column: SealedColumn, limit: number): Promise<ColumnCounts> {
  const counts: ColumnCounts = { resealed: 0, unreadable: {}, damaged: 0, left: 0 }
  let after: string | null = null
  for (;;) {
    const rows: readonly SealedRow[] = await column.list({ after, limit })
    for (const row of rows) await resealRow(secrets, column, row, counts)
    after = rows.at(-1)?.id ?? null
    if (after === null) return counts
  }
}

async function resealRow(secrets: Secrets, column: SealedColumn, row: SealedRow, counts: ColumnCounts): Promise<void> {
  if (parseKeyId(row.sealed) === secrets.keyId) return
  try {
    const becomes = secrets.encrypt(secrets.decrypt(row.sealed, row.place), row.place)
    if (await column.write(row, becomes)) counts.resealed += 1
  } catch (error) {
    counts.left += 1
    if (error instanceof SecretsKeyMissing) counts.unreadable[error.keyId] = (counts.unreadable[error.keyId] ?? 0) + 1
    else counts.damaged += 1
  }
}
