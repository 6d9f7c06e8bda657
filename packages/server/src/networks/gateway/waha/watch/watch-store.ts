import type { GatewaySession } from '@msgctl/network/session'
import { type Db, rows } from '#platform/db/db.ts'

const ofNumber = 'container_id = :containerId and organization_id = :organizationId'

/** Returns the limits of an account that were reported last, as JSON; null when none were. */
export async function readLimits(db: Db, { containerId, organizationId }: GatewaySession): Promise<string | null> {
  const [found] = await rows<{ limits: string | null }>(db, `select limits from waha_sessions where ${ofNumber}`, {
    containerId,
    organizationId,
  })
  return found?.limits ?? null
}

/** Records the limits of an account that were reported. */
export async function writeLimits(
  db: Db,
  { containerId, organizationId }: GatewaySession,
  limits: string,
): Promise<void> {
  await rows(db, `update waha_sessions set limits = :limits where ${ofNumber}`, { containerId, organizationId, limits })
}
