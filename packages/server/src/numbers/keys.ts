import type { Contract } from '@msgctl/contract'
import { firstKey, keyWarning, nextKey, nextKeyWarning } from '#api/access/key.ts'
import { deleteNumberKey } from '#api/access/key-store.ts'
import { recordActivity, toActor } from '#api/activity/log.ts'
import type { Caller, Request } from '#api/http/handler.ts'
import { type Db, transaction } from '#platform/db/db.ts'
import { apiError } from '#platform/errors.ts'
import type { Services } from '#services.ts'
import { lockNumber } from './records/store.ts'

/** Makes the first key of a number. Throws CONTAINER_NOT_FOUND, and CONFLICT once it has one. */
export async function generateNumberKey(
  { caller, params }: Request<Contract['numbers']['generateKey']>,
  { db }: Services,
) {
  return transaction(db, async (trx) => {
    const label = await labelOf(trx, caller, params.containerId)
    const key = await firstKey(trx, caller.organizationId, params.containerId)
    if (!key) {
      throw apiError('CONFLICT', 'The number has a key already. Regenerate it to get a new one.', {
        reason: 'key_exists',
      })
    }
    await record(trx, caller, params.containerId, 'number_key.generated', key.apiKeyPreview)
    return { ...key, containerId: params.containerId, label, warning: keyWarning }
  })
}

/** Makes a new key of a number; the old one stops at once. Throws CONTAINER_NOT_FOUND. */
export async function regenerateNumberKey(
  { caller, params }: Request<Contract['numbers']['regenerateKey']>,
  { db }: Services,
) {
  return transaction(db, async (trx) => {
    const label = await labelOf(trx, caller, params.containerId)
    const key = await nextKey(trx, caller.organizationId, params.containerId)
    if (!key) throw noSuchContainer()
    const { apiKey, apiKeyPreview } = key
    await record(trx, caller, params.containerId, 'number_key.regenerated', apiKeyPreview)
    return { apiKey, containerId: params.containerId, label, warning: nextKeyWarning }
  })
}

/** Deletes the key of a number, which stops at once. Throws CONTAINER_NOT_FOUND, and NOT_FOUND when it has none. */
export async function deleteKey({ caller, params }: Request<Contract['numbers']['deleteKey']>, { db }: Services) {
  const { organizationId } = caller
  return transaction(db, async (trx) => {
    await labelOf(trx, caller, params.containerId)
    const preview = await deleteNumberKey(trx, organizationId, params.containerId)
    if (preview === undefined) throw apiError('NOT_FOUND', 'The number has no key.')
    await record(trx, caller, params.containerId, 'number_key.deleted', preview)
    return {}
  })
}

async function labelOf(trx: Db, caller: Caller, containerId: string): Promise<string> {
  const number = await lockNumber(trx, caller.organizationId, containerId)
  if (!number) throw noSuchContainer()
  return number.label
}

function noSuchContainer() {
  return apiError('CONTAINER_NOT_FOUND', 'There is no such number.')
}

function record(trx: Db, caller: Caller, subject: string, action: string, preview: string): Promise<void> {
  const { organizationId } = caller
  return recordActivity(trx, { organizationId, actor: toActor(caller), action, subject, details: { preview } })
}
