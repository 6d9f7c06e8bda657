import { missingProducts } from '@msgctl/contract'
import { findKey, useToken } from '#api/access/credential-store.ts'
import type { Caller } from '#api/http/handler.ts'
import type { Db } from '#platform/db/db.ts'

/** The caller of a stream. */
export type Follower = Pick<Caller, 'kind' | 'organizationId' | 'credentialHash'>

/**
 * Returns whether the caller of a stream may still read it: the key or token is valid, the organization is active, and
 * it has an active product with the event log.
 */
export async function stillAllowed(db: Db, { kind, organizationId, credentialHash }: Follower): Promise<boolean> {
  const row = await (kind === 'user' ? useToken(db, credentialHash) : findKey(db, credentialHash))
  if (!row || row.deactivated || row.moving || row.organizationId !== organizationId) return false
  return missingProducts('webhooks', new Set(row.products), kind !== 'user').length === 0
}
