import { GatewayError } from '@msgctl/network/errors'
import type { GatewaySession } from '@msgctl/network/gateway'
import { blockNewChats } from '#numbers/records/store.ts'
import type { Services } from '#services.ts'

/** How long an account begins no new chats when the network does not say how long. */
const usualBlockMs = 24 * 3600 * 1000

/**
 * Records that the network lets the account of a number begin no new chats, when a call failed for that reason: until
 * the time that it names, else for 24 hours. Never throws.
 */
export async function noteRefusedChat(
  { db, clock, log }: Pick<Services, 'db' | 'clock' | 'log'>,
  { organizationId, containerId }: GatewaySession,
  failure: unknown,
): Promise<void> {
  if (!(failure instanceof GatewayError) || failure.kind !== 'new_chat_refused') return
  const until = failure.blockedUntil ?? new Date(clock.now().getTime() + usualBlockMs)
  try {
    await blockNewChats(db, { organizationId, containerId }, until)
  } catch (error) {
    log.warn({ event: 'block_not_stored', err: error, containerId }, 'failed to store until when a number is blocked')
  }
}
