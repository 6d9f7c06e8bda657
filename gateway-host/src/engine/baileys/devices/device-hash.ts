import { createHash } from 'node:crypto'
import { jidDecode } from 'baileys'

const hashBytes = 6

/**
 * Returns the hash of a list of devices in the second form of the network: the first bytes of a digest over their
 * names in order, each with its agent, which is 0, and its device.
 */
export function deviceHash(jids: Iterable<string>): string {
  const names = [...new Set([...jids].map(nameOf))].sort()
  const digest = createHash('sha256').update(names.join('')).digest()
  return `2:${digest.subarray(0, hashBytes).toString('base64')}`
}

function nameOf(jid: string): string {
  const { user = '', device = 0, server = '' } = jidDecode(jid) ?? {}
  return `${user}.0:${device}@${server}`
}
