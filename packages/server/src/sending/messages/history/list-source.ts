import type { HistoryFilter } from './list-store.ts'

/** Which columns the condition of a list names: only those of the order, or others of the message too. */
export type ConditionReads = 'place' | 'message'

/** The places alone, in the order of the list. */
const places = '(select organization_id, container_id, created_at, message_id as id from message_places)'

/**
 * The messages in the order of their places: Postgres follows the index of message_places, and reads the row of each
 * message until the page is full.
 */
const placedMessages = `(select p.organization_id, p.container_id, p.created_at, p.message_id as id,
                                r.type, r.status, r.recipient, r.content, r.error_code
                           from message_places p join messages r on r.id = p.message_id)`

/**
 * Returns SQL of the table that a list reads, the one whose index has the rows of the filter in the order of the list.
 *
 * A campaign has at most 10,000 messages, and a reminder few. Behind OFFSET they are read by their index and sorted:
 * with the order in sight Postgres may read all messages from the newest on to find old ones.
 */
export function listSource(filter: HistoryFilter, reads: ConditionReads): string {
  const of = (condition: string) =>
    `(select * from messages where organization_id = :organizationId and ${condition} offset 0)`
  if (filter.campaignId !== null) return of('campaign_id = :campaignId::uuid')
  if (filter.reminderId !== null)
    return of('id = any(array(select message_id from reminder_sends where reminder_id = :reminderId::uuid))')
  if (filter.clientReference !== null || filter.recipient !== null) return 'messages'
  const isOfAnyState = filter.type === null && filter.status === null
  if (!isOfAnyState) return filter.containerId === null ? 'messages' : placedMessages
  return reads === 'place' ? places : placedMessages
}
