import type { GatewayEvent, InboundMessage, Json, NetAddress } from '@msgctl/network/gateway'
import { cleanId, cleanJson, cleanName, cleanText } from '#networks/gateway/clean.ts'

type EventOf<Kind extends GatewayEvent['kind']> = Extract<GatewayEvent, { kind: Kind }>

/** A message to a number, or one that its owner wrote on the phone, in a form that can be stored. */
export interface Arrival {
  readonly organizationId: string
  readonly containerId: string
  readonly direction: 'in' | 'out'
  readonly networkId: string
  readonly at: Date
  /** The other person: digits or a hidden id. In a group, the author. */
  readonly address: string
  /** The hidden id, if the network reports it together with the digits. */
  readonly lid: string | null
  readonly senderName: string
  readonly type: InboundMessage['type']
  readonly text: string
  /** Whether it does not count as unread. */
  readonly isQuiet: boolean
  readonly file: ReceivedFile | null
  readonly groupId: string | null
  readonly place: { readonly latitude: number; readonly longitude: number } | null
  readonly selectedButtonId: string | null
  readonly selectedRowId: string | null
  /** What the driver needs to fetch the file of the message; null without one. */
  readonly networkRef: Json
}

/** The file of a message, as its sender named it. */
interface ReceivedFile {
  readonly mimetype: string
  readonly filename?: string
  readonly sizeBytes: number
}

/** Returns whether a message belongs to the chat with one person. */
export function isPrivate({ groupId }: Arrival): boolean {
  return groupId === null
}

/** Returns the key that identifies a message: its number and network id. */
export function messageKey({ containerId, networkId }: { containerId: string; networkId: string }): string {
  return `${containerId} ${networkId}`
}

/** Converts a received message. */
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
    isQuiet: message.isQuiet === true,
    file: media ? toFile(media) : null,
    groupId: groupId === undefined ? null : cleanId(groupId),
    place: latitude === undefined || longitude === undefined ? null : { latitude, longitude },
    selectedButtonId: selectedButtonId === undefined ? null : cleanId(selectedButtonId),
    selectedRowId: selectedRowId === undefined ? null : cleanId(selectedRowId),
    networkRef: cleanJson(message.raw),
  }
}

/** Converts a message that the owner of a number wrote on the phone. */
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
    isQuiet: false,
    file: null,
    groupId: null,
    place: null,
    selectedButtonId: null,
    selectedRowId: null,
    networkRef: null,
  }
}

/** Returns a file as its sender named it, in a form that can be stored. */
export function toFile({ mimetype, filename, sizeBytes }: NonNullable<InboundMessage['media']>): ReceivedFile {
  const name = cleanName(filename ?? '')
  const size = Number.isSafeInteger(sizeBytes) && sizeBytes > 0 ? sizeBytes : 0
  return { mimetype: cleanName(mimetype), ...(name && { filename: name }), sizeBytes: size }
}

/** Returns an address of the network as one string. */
export function toContactAddress(address: NetAddress): string {
  return cleanId(address.kind === 'phone' ? address.digits : address.id)
}
