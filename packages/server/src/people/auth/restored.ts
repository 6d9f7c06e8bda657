import { deleteAllChallenges } from '#api/access/challenge-store.ts'
import { endAllConnections } from '#api/access/connection-store.ts'
import { deleteAllLinks } from '#api/access/link-store.ts'
import { deleteAllTokens } from '#api/access/token-store.ts'
import type { Db } from '#platform/db/db.ts'
import { deleteAllResetRequests } from './reset-request-store.ts'

/**
 * Ends all sessions and AI connections, and all links and half-finished sign-ins that could open one: the person may
 * have ended or used them since the backup. Returns how many there were.
 */
export async function endRestoredAccess(
  trx: Db,
): Promise<{ readonly sessionsEnded: number; readonly aiConnectionsEnded: number }> {
  await deleteAllLinks(trx)
  await deleteAllResetRequests(trx)
  await deleteAllChallenges(trx)
  return {
    sessionsEnded: await deleteAllTokens(trx),
    aiConnectionsEnded: await endAllConnections(trx, 'restored'),
  }
}
