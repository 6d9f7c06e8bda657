import { attachmentLabel } from '#conversations/chats/view.ts'
import { personKey } from '#conversations/contacts/upsert-contacts.ts'
import type { KnownContact } from '#conversations/contacts/upsert-store.ts'
import { insertChatMessages, type NewChatMessage, touchChats } from '#conversations/records/message-store.ts'
import type { Db } from '#platform/db/db.ts'
import { newId } from '#platform/db/new-id.ts'
import { locationLabel } from '#sending/messages/label.ts'
import { type Arrival, isPrivate, messageKey } from './arrival.ts'

/** A message that was stored, by its id in the chats. */
export interface StoredArrival extends Arrival {
  readonly id: string
}

/**
 * Stores the messages that are not stored yet and updates their chats. Returns these messages in the order of arrival.
 */
export async function insertNewMessages(
  trx: Db,
  arrivals: readonly Arrival[],
  contacts: ReadonlyMap<string, KnownContact>,
): Promise<StoredArrival[]> {
  const messages = arrivals.map((arrival) => toRow(arrival, contacts))
  const stored = new Map((await insertChatMessages(trx, messages)).map((one) => [messageKey(one), one.id]))
  const touches = messages.flatMap(({ contactId, unread, ...message }) =>
    contactId !== null && stored.has(messageKey(message)) ? [{ ...message, contactId, unread: unread ? 1 : 0 }] : [],
  )
  await touchChats(trx, touches)
  return arrivals.flatMap((arrival) => {
    const id = stored.get(messageKey(arrival))
    return id === undefined ? [] : [{ ...arrival, id }]
  })
}

function toRow(arrival: Arrival, contacts: ReadonlyMap<string, KnownContact>): NewChatMessage {
  const { organizationId, containerId, direction, networkId, at, type, text, file, place, networkRef } = arrival
  const contactId = isPrivate(arrival) ? (contacts.get(personKey(arrival))?.id ?? null) : null
  return {
    id: newId(),
    organizationId,
    containerId,
    contactId,
    direction,
    networkId,
    at,
    imported: false,
    type,
    text: type === 'location' && place !== null && text === '' ? locationLabel(place) : text,
    attachment: attachmentLabel(type, file?.filename),
    networkRef,
    file,
    unread: direction === 'in' && contactId !== null && !arrival.isQuiet,
  }
}
