import { findKey, useToken } from '#api/access/credential-store.ts'
import type { Caller } from '#api/http/handler.ts'
import type { Db } from '#platform/db/db.ts'
import type { Viewer } from './view.ts'

/** The caller of a stream. */
export type Watcher = Pick<Caller, 'kind' | 'organizationId' | 'credentialHash' | 'products'>

/**
 * Checks the credential of a watcher again. Returns what it may see now; null when the key or session has ended, or the
 * organization was deactivated.
 */
export async function judgeAgain(db: Db, { kind, organizationId, credentialHash }: Watcher): Promise<Viewer | null> {
  const row = await (kind === 'user' ? useToken(db, credentialHash) : findKey(db, credentialHash))
  if (!row || row.deactivated || row.moving || row.twoFactorMissing || row.organizationId !== organizationId)
    return null
  return { kind, products: new Set(row.products) }
}
