import { GatewayError } from '@msgctl/network/errors'
import { noteRefusedPerson, pauseNewChats, type RefusedMessage } from '#numbers/guard/refusal-store.ts'
import { blockNewChats } from '#numbers/records/store.ts'
import type { Services } from '#services.ts'

/** How long an account begins no new chats when the network does not say how long. */
const usualBlockMs = 24 * 3600 * 1000
/** How many people the network refuses within an hour before the number begins no new chats for a while. */
const mostRefusedPeople = 3
const pauseMs = 6 * 3600 * 1000

/**
 * Records that the network refused a message: all new chats of the account, until the time that it names, else for 24
 * hours; or one person, which pauses new chats for six hours once it is the third one within an hour. Never throws.
 */
export async function noteRefusedChat(
  { db, clock, log }: Pick<Services, 'db' | 'clock' | 'log'>,
  message: RefusedMessage,
  failure: unknown,
): Promise<void> {
  if (!(failure instanceof GatewayError)) return
  const { organizationId, containerId, messageId } = message
  const after = (ms: number) => new Date(clock.now().getTime() + ms)
  try {
    if (failure.kind === 'new_chat_refused') {
      await blockNewChats(db, { organizationId, containerId }, failure.blockedUntil ?? after(usualBlockMs))
    }
    if (failure.kind === 'contact_refused') {
      const people = await noteRefusedPerson(db, { organizationId, containerId, messageId })
      if (people >= mostRefusedPeople) await pauseNewChats(db, { organizationId, containerId }, after(pauseMs))
    }
  } catch (error) {
    log.warn({ event: 'block_not_stored', err: error, containerId }, 'failed to store until when a number is blocked')
  }
}
