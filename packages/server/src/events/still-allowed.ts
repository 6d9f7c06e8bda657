import { missingProducts } from '@msgctl/contract'
import { findKey, useToken } from '../access/credential-store.ts'
import type { Db } from '../db/db.ts'
import type { Caller } from '../http/handler.ts'

/** Whose stream it is, as far as the check needs to know. */
export type Follower = Pick<Caller, 'kind' | 'organizationId' | 'credentialHash'>

/**
 * Whether a caller who opened a stream may still follow: the key or token is still good, the organization active, and a
 * product that unlocks the event log among its active ones.
 */
export async function stillAllowed(db: Db, { kind, organizationId, credentialHash }: Follower): Promise<boolean> {
  const row = await (kind === 'user' ? useToken(db, credentialHash) : findKey(db, credentialHash))
  if (!row || row.deactivated || row.organizationId !== organizationId) return false
  return missingProducts('webhooks', new Set(row.products), kind !== 'user').length === 0
}
