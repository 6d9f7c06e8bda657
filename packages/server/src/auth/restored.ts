import { deleteAllTokens } from '../access/token-store.ts'
import type { Db } from '../db/db.ts'
import { deleteAllLinks } from './link-store.ts'
import { deleteAllChallenges } from './two-factor/challenge-store.ts'

/**
 * Ends all sessions, and all links and half-finished sign-ins that could open one: the person may have ended or used them
 * since the backup. Returns how many sessions there were.
 */
export async function endRestoredSessions(trx: Db): Promise<number> {
  await deleteAllLinks(trx)
  await deleteAllChallenges(trx)
  return deleteAllTokens(trx)
}
