import type { Db } from '#platform/db/db.ts'
import { apiError } from '#platform/errors.ts'
import { insertReplay } from './replay-store.ts'

/** Returns FORBIDDEN_ACTION: the organization has no webhook address. */
export function noWebhookUrl() {
  return apiError('FORBIDDEN_ACTION', 'No webhook address is set. Set one first.', {
    reason: 'no_webhook_url',
  })
}

/**
 * Plans another delivery of an event to each endpoint that receives its kind, marked as a replay and with its own
 * attempts. X-Service-Delivery stays the same. Throws NOT_FOUND for an unknown or expired event, and FORBIDDEN_ACTION
 * without such an endpoint.
 */
export async function requestReplay(trx: Db, organizationId: string, eventId: string): Promise<{ eventId: string }> {
  const { exists, planned } = await insertReplay(trx, organizationId, eventId)
  if (!exists) throw apiError('NOT_FOUND', 'There is no such event in the last 30 days.')
  if (planned === 0) throw noWebhookUrl()
  return { eventId }
}
