import type { NewEvent } from '../events/append.ts'
import type { Arrival } from './arrival.ts'

/**
 * Whether what arrived is told as message.inbound: a text, a caption, a place or a choice is; a photo without caption and
 * a sticker are not, and a voice note only as a transcript, which needs an assistant (specification, "Payload shapes").
 */
export function isReported({ direction, type, text, place, selectedButtonId, selectedRowId }: Arrival): boolean {
  if (direction === 'out' || type === 'voice' || type === 'sticker') return false
  if (type === 'location' && place !== null) return true
  return text.trim() !== '' || selectedButtonId !== null || selectedRowId !== null
}

/** The event of what somebody wrote. `sender` is who it is known to be: the digits wherever they are known. */
export function inboundEvent(arrival: Arrival, sender: string, numberPhone: string | null): NewEvent {
  const { organizationId, containerId, groupId, place, selectedButtonId, selectedRowId } = arrival
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
    },
  }
}
