import type { Db } from '#platform/db/db.ts'

/** Deletes the stored responses of a credential. */
export async function deleteKeysOfCredential(
  trx: Db,
  organizationIds: readonly string[],
  credential: string,
): Promise<void> {
  await trx('idempotency_keys').whereIn('organizationId', organizationIds).where({ credential }).delete()
}
