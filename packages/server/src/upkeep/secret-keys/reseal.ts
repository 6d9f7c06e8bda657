import { parseKeyId, type SecretLocation, type Secrets, SecretsKeyMissing } from '@msgctl/network/secrets'

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
export interface ResealCounts {
  /** Secrets that the first key encrypts now. */
  resealed: number
  /** Secrets whose key is missing, by the id of the key. */
  readonly unreadable: Record<string, number>
  /** Secrets that could not be decrypted although their key is present. */
  damaged: number
  /** Secrets that other keys still encrypt at the end, with unreadable and damaged ones. */
  left: number
}

/**
 * Re-encrypts the secrets of some columns with the first key, `limit` rows at a time. Those that cannot be decrypted
 * stay unchanged and are counted. An interrupted run can be repeated, which does the rest.
 */
export async function resealColumns(
  secrets: Secrets,
  columns: readonly SealedColumn[],
  limit: number,
): Promise<ResealCounts> {
  const counts: ResealCounts = { resealed: 0, unreadable: {}, damaged: 0, left: 0 }
  for (const column of columns) {
    for await (const row of rowsOf(column, limit)) await resealRow(secrets, column, row, counts)
    // Other processes may have encrypted more with their key since.
    for await (const _row of rowsOf(column, limit)) counts.left += 1
  }
  return counts
}

async function* rowsOf(column: SealedColumn, limit: number): AsyncGenerator<SealedRow> {
  let after: string | null = null
  for (;;) {
    const rows: readonly SealedRow[] = await column.list({ after, limit })
    yield* rows
    after = rows.at(-1)?.id ?? null
    if (after === null) return
  }
}

async function resealRow(secrets: Secrets, column: SealedColumn, row: SealedRow, counts: ResealCounts): Promise<void> {
  if (parseKeyId(row.sealed) === secrets.keyId) return
  const becomes = reencrypt(secrets, row, counts)
  if (becomes !== null && (await column.write(row, becomes))) counts.resealed += 1
}

/** Returns a secret encrypted with the first key, or null after counting that it cannot be decrypted. */
function reencrypt(secrets: Secrets, { sealed, place }: SealedRow, counts: ResealCounts): string | null {
  try {
    return secrets.encrypt(secrets.decrypt(sealed, place), place)
  } catch (error) {
    if (error instanceof SecretsKeyMissing) counts.unreadable[error.keyId] = (counts.unreadable[error.keyId] ?? 0) + 1
    else counts.damaged += 1
    return null
  }
}
