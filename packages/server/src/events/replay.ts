import { v7 as newId } from 'uuid'
import type { Db } from '../db/db.ts'
import { apiError } from '../errors.ts'
import { hasWebhookUrl, insertReplay } from './replay-store.ts'

/** Throws FORBIDDEN_ACTION if the organization has no webhook address. */
export async function requireWebhookUrl(db: Db, organizationId: string): Promise<void> {
  if (await hasWebhookUrl(db, organizationId)) return
  throw apiError('FORBIDDEN_ACTION', 'No webhook address is set. Set one with PUT /me/webhook first.', {
    reason: 'no_webhook_url',
  })
}

/**
 * Plans another delivery of an event, marked as a replay and with its own attempts. X-Service-Delivery stays the same.
 * Throws NOT_FOUND for an unknown or expired event and FORBIDDEN_ACTION without a webhook address.
 */
export async function requestReplay(trx: Db, organizationId: string, eventId: string): Promise<{ eventId: string }> {
  const planned = await insertReplay(trx, organizationId, { id: newId(), eventId })
  if (!planned) throw apiError('NOT_FOUND', 'There is no such event in the last 30 days.')
  await requireWebhookUrl(trx, organizationId)
  return { eventId }
}
