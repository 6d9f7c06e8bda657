import type { Actor } from '#api/activity/log.ts'
import type { Db } from '#platform/db/db.ts'
import { afterCommit } from '#platform/db/wake.ts'
import { deleteChallenges } from './challenge-store.ts'
import { endConnectionsOf } from './connections.ts'
import { deleteLinksInto } from './link-store.ts'
import { deleteTokensOf, deleteTokensOfUser } from './token-store.ts'

/** Whose access ends: of a person in all organizations, of a member of one, or of everyone in an organization. */
export type EndedAccess = (
  | {
      readonly userId: string
      readonly organizationId: null
      /** The hash of the session that stays, because the person makes the change in it. */
      readonly keep?: Buffer
    }
  | { readonly userId: string | null; readonly organizationId: string }
) & {
  /** The author of the change. Default: what ended. */
  readonly by?: Actor
}

/** Ends one kind of access, in the transaction of the change. Returns how many of it there were. */
export type AccessEnd = (trx: Db, ended: EndedAccess) => Promise<number>

/**
 * What ends when a password is changed or reset, when a person ends the other sessions or turns two steps on, when a
 * member leaves or is removed, and when an account or an organization is deleted. Whatever else acts for a person adds
 * its end here. Sessions are the first: a request of one that makes another kind of access locks it, and is then waited
 * for.
 */
export const accessEnds = {
  sessions: (trx, ended) =>
    ended.organizationId === null
      ? deleteTokensOfUser(trx, ended.userId, ended.keep)
      : deleteTokensOf(trx, ended.organizationId, ended.userId),
  connections: (trx, { userId, organizationId, by }) =>
    endConnectionsOf(
      trx,
      { ...(userId !== null && { userId }), ...(organizationId !== null && { organizationId }) },
      { reason: 'access_ended', ...(by && { actor: by }) },
    ),
  challenges: deleteChallenges,
  links: deleteLinksInto,
} as const satisfies Readonly<Record<string, AccessEnd>>

/** Ends every kind of access of {@link accessEnds}. Returns how many of each there were. */
export async function endAccess(trx: Db, ended: EndedAccess): Promise<Record<keyof typeof accessEnds, number>> {
  const counts = {} as Record<keyof typeof accessEnds, number>
  for (const [name, end] of Object.entries(accessEnds)) {
    counts[name as keyof typeof accessEnds] = await end(trx, ended)
  }
  afterCommit(trx, 'credentials')
  return counts
}
