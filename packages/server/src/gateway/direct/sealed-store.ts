import { type Db, rows } from '../../db/db.ts'

/** The encrypted key of one number. */
export interface SealedNumberKey {
  readonly containerId: string
  readonly sealedKey: string
}

/** Returns up to `limit` keys of numbers after `after`, by id, that a key other than `keyId` encrypted. */
export async function listNumberKeysSealedOtherwise(
  db: Db,
  keyId: string,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<SealedNumberKey[]> {
  return rows<SealedNumberKey>(
    db,
    `select container_id as "containerId", sealed_key as "sealedKey" from gateway_sessions
      where (:after::uuid is null or container_id > :after::uuid) and split_part(sealed_key, ':', 1) <> :keyId
      order by container_id limit :limit`,
    { keyId, after, limit },
  )
}

/** Writes a re-encrypted key of a number unless it changed since it was read. Returns whether it was written. */
export async function writeResealedNumberKey(
  db: Db,
  { containerId, sealedKey }: SealedNumberKey,
  becomes: string,
): Promise<boolean> {
  const changed = await db('gateway_sessions')
    .where({ container_id: containerId, sealed_key: sealedKey })
    .update({ sealed_key: becomes })
  return changed > 0
}
