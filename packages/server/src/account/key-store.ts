import { type Db, rows } from '../db/db.ts'

const insertion = `
  insert into api_keys (key_hash, organization_id, container_id, preview, created_at)
  values (:keyHash, :organizationId, :containerId, :preview, service_now())`

/** Stores a key by its hash; false when the account, or the number, has one. */
export async function insertKey(
  trx: Db,
  organizationId: string,
  containerId: string | null,
  keyHash: Buffer,
  preview: string,
): Promise<boolean> {
  const stored = await rows(trx, `${insertion} on conflict do nothing returning preview`, {
    organizationId,
    containerId,
    keyHash,
    preview,
  })
  return stored.length > 0
}

/** Puts a key in the place of the one before. Two callers at once follow each other; the later key stays. */
export async function replaceKey(
  trx: Db,
  organizationId: string,
  containerId: string | null,
  keyHash: Buffer,
  preview: string,
): Promise<void> {
  const scope = { organizationId, containerId }
  await rows(trx, 'select 1 as locked from organizations where id = :organizationId for no key update', {
    organizationId,
  })
  await rows(
    trx,
    'delete from api_keys where organization_id = :organizationId and container_id is not distinct from :containerId::uuid',
    scope,
  )
  await rows(trx, insertion, { ...scope, keyHash, preview })
}
