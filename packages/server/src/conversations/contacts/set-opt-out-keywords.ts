import type { Contract } from '@msgctl/contract'
import { recordActivity, toActor } from '#api/activity/log.ts'
import type { Request } from '#api/http/handler.ts'
import { transaction } from '#platform/db/db.ts'
import type { Services } from '#services.ts'
import { writeOptOutKeywords } from './opt-out-keyword-store.ts'

/** Replaces the opt-out keywords of the organization. A repeated word counts once. */
export async function setOptOutKeywords(
  { caller, body }: Request<Contract['contacts']['setOptOutWords']>,
  { db }: Services,
) {
  const { organizationId } = caller
  const words = [...new Set(body.words)]
  await transaction(db, async (trx) => {
    await writeOptOutKeywords(trx, organizationId, words)
    const action = 'opt_out_words.set'
    await recordActivity(trx, { organizationId, actor: toActor(caller), action, details: { words: words.length } })
  })
  return { words }
}
