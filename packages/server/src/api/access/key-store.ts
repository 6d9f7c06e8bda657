import { type Db, rows, serviceNow } from '#platform/db/db.ts'

/** A key as it is stored: of the account, or of the number `containerId`. */
export interface StoredKey {
  readonly organizationId: string
  readonly containerId: string | null
  readonly keyHash: Buffer
  readonly preview: string
}

/** Stores a first key by its hash; false when the account, or the number, has one. */
export async function insertKey(trx: Db, key: StoredKey): Promise<boolean> {
  const stored = await trx('api_keys')
    .insert({
      keyHash: key.keyHash,
      organizationId: key.organizationId,
      containerId: key.containerId,
      preview: key.preview,
      createdAt: serviceNow(trx),
    })
    .onConflict()
    .ignore()
    .returning('preview')
  return stored.length > 0
}

const replaceAccountKeySql = `
  insert into api_keys (key_hash, organization_id, preview, created_at)
  values (:keyHash, :organizationId, :preview, (select service_now()))
  on conflict (organization_id) where container_id is null do update
     set key_hash = excluded.key_hash, preview = excluded.preview, created_at = excluded.created_at, last_used_at = null
   where :onlyIf::bytea is null or api_keys.key_hash = :onlyIf
  returning preview`

const replaceNumberKeySql = `
  insert into api_keys (key_hash, organization_id, container_id, preview, created_at)
  values (:keyHash, :organizationId, :containerId, :preview, (select service_now()))
  on conflict (container_id) where container_id is not null do update
     set key_hash = excluded.key_hash, preview = excluded.preview, created_at = excluded.created_at, last_used_at = null
   where api_keys.organization_id = excluded.organization_id
     and (:onlyIf::bytea is null or api_keys.key_hash = :onlyIf)
  returning preview`

/**
 * Replaces a key in one statement, so that there is always exactly one. With `onlyIf` it does so only while the key has
 * this hash, and returns false otherwise. Concurrent callers follow each other.
 */
export async function replaceKey(trx: Db, key: StoredKey, onlyIf: Buffer | null): Promise<boolean> {
  const sql = key.containerId === null ? replaceAccountKeySql : replaceNumberKeySql
  return (await rows(trx, sql, { ...key, onlyIf })).length > 0
}

/** Returns the SHA-256 of each key of an organization, in hexadecimal. */
export async function listKeyHashes(db: Db, organizationId: string): Promise<string[]> {
  const found = await rows<{ hash: string }>(
    db,
    `select encode(key_hash, 'hex') as hash from api_keys where organization_id = :organizationId order by 1`,
    { organizationId },
  )
  return found.map(({ hash }) => hash)
}

/** Deletes all keys of an organization. */
export async function deleteKeys(trx: Db, organizationId: string): Promise<void> {
  await trx('api_keys').where({ organizationId }).delete()
}

/** Deletes the key of a number. Returns its preview, or undefined when the number has none. */
export async function deleteNumberKey(
  trx: Db,
  organizationId: string,
  containerId: string,
): Promise<string | undefined> {
  const [deleted] = await trx('api_keys').where({ organizationId, containerId }).delete().returning('preview')
  return deleted?.preview
}
