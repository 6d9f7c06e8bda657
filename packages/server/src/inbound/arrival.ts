import { cleanId, cleanName, cleanText } from '../gateway/clean.ts'
import type { GatewayEvent, InboundMessage, NetAddress } from '../gateway/gateway.ts'

type EventOf<Kind extends GatewayEvent['kind']> = Extract<GatewayEvent, { kind: Kind }>

/** A message that was written to a number, or by its owner on the phone, in a form that can be stored. */
export interface Arrival {
  readonly organizationId: string
  readonly containerId: string
  readonly direction: 'in' | 'out'
  readonly networkId: string
  readonly at: Date
  /** With whom: digits or a hidden id. In a group, who wrote. */
  readonly address: string
  /** The hidden id, when the network tells it beside the digits. */
  readonly lid: string | null
  readonly senderName: string
  readonly type: InboundMessage['type']
  readonly text: string
  readonly filename: string | null
  readonly groupId: string | null
  readonly place: { readonly latitude: number; readonly longitude: number } | null
  readonly selectedButtonId: string | null
  readonly selectedRowId: string | null
}

/** What somebody wrote to a number. */
export function toArrival({ organizationId, containerId, at, message }: EventOf<'message.in'>): Arrival {
  const { latitude, longitude, selectedButtonId, selectedRowId, groupId, media, lid, from } = message
  return {
    organizationId,
    containerId,
    direction: 'in',
    networkId: cleanId(message.networkId),
    at,
    address: toContactAddress(from),
    lid: lid === undefined || from.kind === 'lid' ? null : cleanId(lid),
    senderName: cleanName(message.senderName),
    type: message.type,
    text: cleanText(message.text),
    filename: media?.filename ? cleanName(media.filename) : null,
    groupId: groupId === undefined ? null : cleanId(groupId),
    place: latitude === undefined || longitude === undefined ? null : { latitude, longitude },
    selectedButtonId: selectedButtonId === undefined ? null : cleanId(selectedButtonId),
    selectedRowId: selectedRowId === undefined ? null : cleanId(selectedRowId),
  }
}

/** What the owner of a number wrote on the phone. */
export function toTypedArrival({
  organizationId,
  containerId,
  at,
  networkId,
  to,
  text,
}: EventOf<'message.out'>): Arrival {
  return {
    organizationId,
    containerId,
    direction: 'out',
    networkId: cleanId(networkId),
    at,
    address: toContactAddress(to),
    lid: null,
    senderName: '',
    type: 'chat',
    text: cleanText(text),
    filename: null,
    groupId: null,
    place: null,
    selectedButtonId: null,
    selectedRowId: null,
  }
}

/** An address of the network as one text. */
export function toContactAddress(address: NetAddress): string {
  return cleanId(address.kind === 'phone' ? address.digits : address.id)
}
