import { type Db, rows } from '#platform/db/db.ts'

/** The encrypted secret of a person: in use, or of a set-up. */
export interface SealedSecret {
  readonly userId: string
  readonly sealed: string
}

/** The columns that hold secrets. */
export type SecretColumn = 'sealed_secret' | 'pending_sealed'

/** Returns up to `limit` secrets after `after`, by person, that a key other than `keyId` encrypted. */
export async function listSecretsSealedOtherwise(
  db: Db,
  column: SecretColumn,
  { keyId, after, limit }: { readonly keyId: string; readonly after: string | null; readonly limit: number },
): Promise<SealedSecret[]> {
  return rows<SealedSecret>(
    db,
    `select user_id, ${column} as sealed from user_two_factor
      where (:after::uuid is null or user_id > :after::uuid) and split_part(${column}, ':', 1) <> :keyId
      order by user_id limit :limit`,
    { keyId, after, limit },
  )
}

/** Writes a re-encrypted secret, unless it changed since it was read. Returns whether it was written. */
export async function writeResealedSecret(
  db: Db,
  column: SecretColumn,
  { userId, sealed }: SealedSecret,
  becomes: string,
): Promise<boolean> {
  return (
    (await db('user_two_factor')
      .where({ userId, [column]: sealed })
      .update({ [column]: becomes })) > 0
  )
}
