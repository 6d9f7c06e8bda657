import type { NewEvent } from '#events/append.ts'
import type { Arrival } from './arrival.ts'
import type { StoredArrival } from './store-messages.ts'

/**
 * Returns whether a message is reported as message.inbound. Texts, captions, locations and choices are; photos without
 * a caption, stickers and what cannot be read are not. A voice note needs a transcript, so an assistant (specification,
 * "Payload shapes").
 */
export function isReported({ direction, type, text, place, selectedButtonId, selectedRowId }: Arrival): boolean {
  if (direction === 'out' || type === 'voice' || type === 'sticker' || type === 'unsupported') return false
  if (type === 'location' && place !== null) return true
  return text.trim() !== '' || selectedButtonId !== null || selectedRowId !== null
}

/** Returns the event of a received message. `sender` is the digits of the author if they are known. */
export function inboundEvent(
  arrival: Arrival & Partial<Pick<StoredArrival, 'id'>>,
  sender: string,
  numberPhone: string | null,
): NewEvent {
  const { organizationId, containerId, groupId, place, selectedButtonId, selectedRowId, file, id } = arrival
  return {
    organizationId,
    event: 'message.inbound',
    data: {
      sender,
      senderName: arrival.senderName,
      body: arrival.text,
      messageType: arrival.type,
      gatewayMessageId: arrival.networkId,
      containerId,
      numberPhone,
      timestamp: arrival.at.toISOString(),
      ...(groupId === null ? {} : { isGroup: true, groupId }),
      ...(arrival.type === 'location' && place !== null ? place : {}),
      ...(selectedButtonId === null ? {} : { selectedButtonId }),
      ...(selectedRowId === null ? {} : { selectedRowId }),
      ...(file === null || id === undefined ? {} : { attachment: { id, ...file } }),
    },
  }
}
