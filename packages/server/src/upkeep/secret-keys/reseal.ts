import { type Secrets, SecretsKeyMissing } from '@msgctl/network/secrets'
import type { Db } from '#platform/db/db.ts'
import type { SealedColumn } from './columns.ts'
import { listSealedOtherwise, type SealedRow, writeResealed } from './sealed-store.ts'

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
  db: Db,
  secrets: Secrets,
  columns: readonly SealedColumn[],
  limit: number,
): Promise<ResealCounts> {
  const keyId = secrets.keyId ?? ''
  const counts: ResealCounts = { resealed: 0, unreadable: {}, damaged: 0, left: 0 }
  for (const column of columns) {
    for await (const row of rowsOf(db, column, keyId, limit)) {
      const becomes = reencrypt(secrets, row, counts)
      if (becomes !== null && (await writeResealed(db, column, row, becomes))) counts.resealed += 1
    }
    // Other processes may have encrypted more with their key since.
    for await (const _row of rowsOf(db, column, keyId, limit)) counts.left += 1
  }
  return counts
}

async function* rowsOf(db: Db, column: SealedColumn, keyId: string, limit: number): AsyncGenerator<SealedRow> {
  let after: string | null = null
  for (;;) {
    const rows: readonly SealedRow[] = await listSealedOtherwise(db, column, { keyId, after, limit })
    yield* rows
    after = rows.at(-1)?.id ?? null
    if (after === null) return
  }
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
