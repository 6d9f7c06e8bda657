import { noWebhookUrl } from '#events/replay.ts'
import type { Db } from '#platform/db/db.ts'
import { apiError } from '#platform/errors.ts'
import { findEndpoint, findMainEndpoint } from './endpoint-store.ts'

/**
 * Returns the id of the chosen endpoint, by default of the main one. Throws NOT_FOUND for an unknown one, and
 * FORBIDDEN_ACTION if the main one has no address.
 */
export async function requireEndpoint(db: Db, organizationId: string, chosen: string | undefined): Promise<string> {
  if (chosen === undefined) {
    const main = await findMainEndpoint(db, organizationId)
    if (main === undefined) throw noWebhookUrl()
    return main
  }
  if (!(await findEndpoint(db, { organizationId, id: chosen })))
    throw apiError('NOT_FOUND', 'There is no such webhook endpoint.')
  return chosen
}
