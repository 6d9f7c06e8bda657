import { findGuards, findRelations, insertSends } from '#numbers/guard/guard-store.ts'
import { isGuarded } from '#numbers/guard/guarded-number.ts'
import { apiError } from '#platform/errors.ts'
import type { Services } from '#services.ts'

/** A direct send that is about to begin. */
interface Sending {
  readonly id: string
  readonly organizationId: string
  readonly containerId: string
  readonly recipient: string
}

/**
 * Counts a direct send under the guard rules. It passes their table, because it cannot wait; it never passes the time
 * lock of the network. Throws GATEWAY_ERROR for a conversation that the network would refuse.
 */
export async function guardDirect({ db, clock, config }: Services, sending: Sending): Promise<void> {
  const { mode } = config.guard
  // A service of simulated numbers pays nothing for the rules.
  if (mode === 'off' || (mode === 'auto' && config.gateway === 'simulator')) return
  const { containerId, organizationId } = sending
  const [[row], [relation]] = await Promise.all([findGuards(db, [containerId]), findRelations(db, [sending])])
  if (!row || !isGuarded(config.guard, row.guarded)) return
  const now = clock.now()
  const opens = relation === 'new'
  if (opens && row.blockedUntil && row.blockedUntil > now) {
    throw apiError(
      'GATEWAY_ERROR',
      `The network lets this number begin no conversations until ${row.blockedUntil.toISOString()}.`,
      {
        reason: 'new_chat_refused',
        outcome: 'not_sent',
      },
    )
  }
  if (relation !== 'replied') await insertSends(db, [{ ...sending, organizationId, opens }], now)
}
