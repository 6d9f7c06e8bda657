import { type Db, rows } from '#platform/db/db.ts'

/** The columns of numbers with encrypted texts. */
export type SealedNumberColumn = 'sealed_key' | 'sealed_proxy'

/** One encrypted text of a number. */
export interface SealedOfNumber {
  readonly containerId: string
  readonly sealed: string
}

/** Returns up to `limit` texts of a column, of numbers after `after` by id, that a key other than `keyId` encrypted. */
export async function listNumbersSealedOtherwise(
  db: Db,
  column: SealedNumberColumn,
  { keyId, after, limit }: { readonly keyId: string; readonly after: string | null; readonly limit: number },
): Promise<SealedOfNumber[]> {
  return rows<SealedOfNumber>(
    db,
    `select container_id, ${column} as sealed from gateway_sessions
      where (:after::uuid is null or container_id > :after::uuid) and split_part(${column}, ':', 1) <> :keyId
      order by container_id limit :limit`,
    { keyId, after, limit },
  )
}

/** Writes a re-encrypted text of a number unless it changed since it was read. Returns whether it was written. */
export async function writeResealedOfNumber(
  db: Db,
  column: SealedNumberColumn,
  { containerId, sealed }: SealedOfNumber,
  becomes: string,
): Promise<boolean> {
  const changed = await db('gateway_sessions')
    .where({ containerId, [column]: sealed })
    .update({ [column]: becomes })
  return changed > 0
}
