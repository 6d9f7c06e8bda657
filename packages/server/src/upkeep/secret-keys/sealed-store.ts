import type { SecretLocation } from '@msgctl/network/secrets'
import { type Db, rows } from '#platform/db/db.ts'
import type { SealedColumn } from './columns.ts'

/** A stored secret with its row and its place. */
export interface SealedRow {
  readonly id: string
  readonly sealed: string
  readonly place: SecretLocation
}

/** Returns up to `limit` secrets of a column, of rows after `after`, that a key other than `keyId` encrypted. */
export async function listSealedOtherwise(
  db: Db,
  { table, id, column, of = id, place }: SealedColumn,
  { keyId, after, limit }: { readonly keyId: string; readonly after: string | null; readonly limit: number },
): Promise<SealedRow[]> {
  const found = await rows<{ id: string; sealed: string; of: string }>(
    db,
    `select :id: as id, :column: as sealed, :of: as of from :table:
      where (:after::uuid is null or :id: > :after::uuid) and split_part(:column:, ':', 1) <> :keyId
      order by :id: limit :limit`,
    { table, id, column, of, keyId, after, limit },
  )
  return found.map((row) => ({ id: row.id, sealed: row.sealed, place: place(row.of) }))
}

/** Writes a re-encrypted secret unless it changed since it was read. Returns whether it was written. */
export async function writeResealed(
  db: Db,
  { table, id, column }: SealedColumn,
  row: SealedRow,
  becomes: string,
): Promise<boolean> {
  const written = await rows(
    db,
    'update :table: set :column: = :becomes where :id: = :row::uuid and :column: = :sealed returning 1 as written',
    { table, id, column, becomes, row: row.id, sealed: row.sealed },
  )
  return written.length > 0
}
