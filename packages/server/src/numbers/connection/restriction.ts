import { GatewayError } from '@msgctl/network/errors'
import { appendEvents } from '#events/append.ts'
import { restrictionSentence } from '#numbers/records/reason-sentence.ts'
import { transaction } from '#platform/db/db.ts'
import type { Services } from '#services.ts'
import { writeRestriction } from './restriction-store.ts'

/** How long a restricted account pauses, unless the network sets the time. */
export const restrictedPauseMs = 600_000

/**
 * Records that the network limits what an account may send, when that is why it refused a message, and reports the
 * beginning of the restriction as an event. `now`: the time of the refusal. Never throws.
 */
export async function noteRestriction(
  { db, log }: Pick<Services, 'db' | 'log'>,
  { organizationId, containerId }: { readonly organizationId: string; readonly containerId: string },
  failure: unknown,
  now: Date,
): Promise<void> {
  if (!(failure instanceof GatewayError) || failure.kind !== 'restricted') return
  const until = new Date(now.getTime() + (failure.retryAfterMs ?? restrictedPauseMs))
  try {
    await transaction(db, async (trx) => {
      const number = await writeRestriction(trx, { organizationId, containerId }, until)
      if (!number?.isNew) return
      const message = restrictionSentence(until)
      const { phoneNumber: numberPhone, instanceName: session } = number
      const timestamp = now.toISOString()
      const data = { reason: 'restricted', message, containerId, numberPhone, session, timestamp } as const
      await appendEvents(trx, [{ organizationId, event: 'number.warning', data }])
    })
  } catch (error) {
    log.warn(
      { event: 'restriction_not_stored', err: error, containerId },
      'failed to store until when an account is restricted',
    )
  }
}
