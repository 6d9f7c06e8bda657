import { type Db, rows } from '../db/db.ts'

/** A key as it is stored: of the account, or of the number `containerId`. */
export interface StoredKey {
  readonly organizationId: string
  readonly containerId: string | null
  readonly keyHash: Buffer
  readonly preview: string
}

const insertion = `
  insert into api_keys (key_hash, organization_id, container_id, preview, created_at)
  values (:keyHash, :organizationId, :containerId, :preview, service_now())`

/** Stores a first key by its hash; false when the account, or the number, has one. */
export async function insertKey(trx: Db, key: StoredKey): Promise<boolean> {
  return (await rows(trx, `${insertion} on conflict do nothing returning preview`, { ...key })).length > 0
}

const owner = {
  account: '(organization_id) where container_id is null',
  number: '(container_id) where container_id is not null',
}

/**
 * Replaces a key in one statement, so that there is always exactly one. With `onlyIf` it does so only while the key has
 * this hash, and returns false otherwise. Concurrent callers follow each other.
 */
export async function replaceKey(trx: Db, key: StoredKey, onlyIf: Buffer | null): Promise<boolean> {
  const stored = await rows(
    trx,
    `${insertion}
     on conflict ${owner[key.containerId === null ? 'account' : 'number']} do update
       set key_hash = excluded.key_hash, preview = excluded.preview, created_at = excluded.created_at
      where api_keys.organization_id = excluded.organization_id
        and (:onlyIf::bytea is null or api_keys.key_hash = :onlyIf)
     returning preview`,
    { ...key, onlyIf },
  )
  return stored.length > 0
}
