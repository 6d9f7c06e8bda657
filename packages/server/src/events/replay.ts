import { v7 as newId } from 'uuid'
import type { Db } from '../db/db.ts'
import { apiError } from '../errors.ts'
import { hasWebhookUrl, insertReplay } from './replay-store.ts'

/** Refuses what needs a webhook address while there is none. Throws FORBIDDEN_ACTION. */
export async function requireWebhookUrl(db: Db, organizationId: string): Promise<void> {
  if (await hasWebhookUrl(db, organizationId)) return
  throw apiError('FORBIDDEN_ACTION', 'No webhook address is set. Set one with PUT /me/webhook first.', {
    reason: 'no_webhook_url',
  })
}

/**
 * Plans one more delivery of an event, with attempts of its own and marked as a replay; X-Service-Delivery stays. Throws
 * NOT_FOUND for an event that the log does not hold, FORBIDDEN_ACTION without an address.
 */
export async function requestReplay(trx: Db, organizationId: string, eventId: string): Promise<{ eventId: string }> {
  const planned = await insertReplay(trx, organizationId, { id: newId(), eventId })
  if (!planned) throw apiError('NOT_FOUND', 'There is no such event in the last 30 days.')
  await requireWebhookUrl(trx, organizationId)
  return { eventId }
}
