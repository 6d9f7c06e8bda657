import type { NetAddress } from '@msgctl/network/gateway'

/**
 * Returns the address that a text names: digits, an address as the network's apps write it (`@c.us`), or a hidden id.
 */
export function toNetworkAddress(text: string): NetAddress {
  return text.endsWith('@lid') ? { kind: 'lid', id: text } : { kind: 'phone', digits: text.replace(/@c\.us$/, '') }
}
