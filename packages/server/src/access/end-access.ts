import type { Db } from '../db/db.ts'
import { endConnectionsOf } from './connections.ts'
import { deleteTokensOf, deleteTokensOfUser } from './token-store.ts'

/** Whose access ends: of a person in all organizations, of a member of one, or of everyone in an organization. */
export type EndedAccess =
  | { readonly userId: string; readonly organizationId: null }
  | { readonly userId: string | null; readonly organizationId: string }

/** Ends one kind of access, in the transaction of the change. Returns how many of it there were. */
export type AccessEnd = (trx: Db, ended: EndedAccess) => Promise<number>

/**
 * What ends when a password is reset, when a member leaves or is removed, and when an account or an organization is deleted.
 * Whatever else acts for a person adds its end here.
 */
export const accessEnds = {
  connections: (trx, { userId, organizationId }) =>
    endConnectionsOf(
      trx,
      { ...(userId !== null && { userId }), ...(organizationId !== null && { organizationId }) },
      { reason: 'access_ended' },
    ),
  sessions: (trx, { userId, organizationId }) =>
    organizationId === null ? deleteTokensOfUser(trx, userId) : deleteTokensOf(trx, organizationId, userId),
} as const satisfies Readonly<Record<string, AccessEnd>>

/** Ends every kind of access of {@link accessEnds}. Returns how many of each there were. */
export async function endAccess(trx: Db, ended: EndedAccess): Promise<Record<keyof typeof accessEnds, number>> {
  const counts = {} as Record<keyof typeof accessEnds, number>
  for (const [name, end] of Object.entries(accessEnds)) {
    counts[name as keyof typeof accessEnds] = await end(trx, ended)
  }
  return counts
}
