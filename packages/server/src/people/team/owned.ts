import { limits } from '@msgctl/contract'
import type { Db } from '#platform/db/db.ts'
import { listOwn } from './store.ts'

/** Returns whether a person owns as many organizations as one may. Lock the person first. */
export async function ownsTheMost(trx: Db, userId: string): Promise<boolean> {
  const owned = (await listOwn(trx, userId)).filter(({ memberRole }) => memberRole === 'owner')
  return owned.length >= limits.ownedOrganizations
}
