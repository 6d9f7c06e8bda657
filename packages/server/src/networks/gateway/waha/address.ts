import type { NetAddress } from '@msgctl/network/session'

/** Returns an address as WAHA names a chat: `12025550100@c.us`, or the hidden id with its `@lid`. */
export function toChatId(address: NetAddress): string {
  return address.kind === 'lid' ? address.id : `${address.digits}@c.us`
}

/**
 * Returns the person behind an id of WAHA, in any of its forms: `12025550100@c.us`, `12025550100@s.whatsapp.net`, with
 * the number of a device (`12025550100:7@s.whatsapp.net`), or a hidden id. Null for groups, channels and everything
 * else.
 */
export function parseChatId(id: string): NetAddress | null {
  const [, user, server] = /^(\d{1,32})(?:[:.]\d+)*@(c\.us|s\.whatsapp\.net|lid)$/.exec(id) ?? []
  if (user === undefined) return null
  return server === 'lid' ? { kind: 'lid', id: `${user}@lid` } : { kind: 'phone', digits: user }
}

/** Returns whether an id is that of a group. */
export function isGroupId(id: string): boolean {
  return id.endsWith('@g.us')
}

/** Returns whether an id is that of a broadcast list of a person, on which the number is. Stories are none. */
export function isListId(id: string): boolean {
  return id.endsWith('@broadcast') && id !== 'status@broadcast'
}

/** Returns the name of a message in WAHA's own form, from its bare id. */
export function toMessageId(chat: NetAddress, networkId: string, fromMe: boolean): string {
  return `${fromMe}_${toChatId(chat)}_${networkId}`
}

/**
 * Returns the bare id of a message from WAHA's form of it (`true_12025550100@c.us_3EB0...`, in groups with a
 * participant).
 */
export function toBareId(id: string): string {
  return /^(?:true|false)_[^_]+_([^_]+)/.exec(id)?.[1] ?? id
}
