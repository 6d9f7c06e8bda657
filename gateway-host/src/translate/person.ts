import type { NetAddress } from '@msgctl/network/gateway'
import { jidDecode, jidNormalizedUser } from 'baileys'

/** A person behind an address: the digits where they are known, with the hidden id beside them. */
export interface Person {
  readonly address: NetAddress
  readonly lid?: string
}

/** Returns an address of the network in our form. */
export function addressOf(jid: string): NetAddress {
  const { user = '', server } = jidDecode(jid) ?? {}
  return server === 'lid' ? { kind: 'lid', id: `${user}@lid` } : { kind: 'phone', digits: user }
}

/** Returns the network's form of an address. */
export function jidOf(address: NetAddress): string {
  return address.kind === 'lid' ? address.id : `${address.digits}@s.whatsapp.net`
}

/** Whether an address is one person, not a group, a channel or a status list. */
export function isPerson(jid: string): boolean {
  return /@(?:s\.whatsapp\.net|lid|hosted|hosted\.lid)$/.test(jid)
}

/** The attributes of a stanza. */
export type Attributes = Readonly<Record<string, string | undefined>>

/** The attributes that may hold the other address of a sender. */
const otherNames = ['sender_pn', 'participant_pn', 'sender_lid', 'participant_lid'] as const

/** Returns both addresses of the sender of a stanza, without devices; the second may be missing. */
export function senderAddresses(attrs: Attributes): readonly string[] {
  const other = otherNames.map((name) => attrs[name]).find((jid) => jid !== undefined)
  return [attrs.participant ?? attrs.from ?? '', other ?? ''].filter((jid) => jid !== '').map(jidNormalizedUser)
}

/** The attributes that may hold the other address of the recipient of what the owner of a number wrote. */
const otherRecipientNames = ['peer_recipient_pn', 'recipient_pn', 'peer_recipient_lid', 'recipient_lid'] as const

/** Returns both addresses of who is written to, without devices; the second may be missing. */
export function recipientAddresses(attrs: Attributes, to: string): readonly string[] {
  const other = otherRecipientNames.map((name) => attrs[name]).find((jid) => jid !== undefined)
  return [to, ...(other ? [other] : [])].map(jidNormalizedUser)
}

/** Returns the person with these addresses. */
export function personOf(jids: readonly string[]): Person {
  const addresses = jids.map(addressOf)
  const phone = addresses.find(({ kind }) => kind === 'phone')
  const hidden = addresses.find((address) => address.kind === 'lid')
  if (!phone) return { address: hidden ?? addressOf('') }
  return { address: phone, ...(hidden ? { lid: hidden.id } : {}) }
}
