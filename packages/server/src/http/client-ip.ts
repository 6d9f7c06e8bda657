import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Range = [Address, number]

/**
 * Makes the function that tells a caller's address. X-Forwarded-For counts only as far as it was written by the trusted
 * proxies (addresses or CIDR ranges), read from its end. Throws an Error that names an entry of `trusted` that is neither.
 */
export function clientIp(trusted: readonly string[]): (request: IncomingMessage) => string {
  const ranges = trusted.map(toRange)

  function isTrusted(address: Address): boolean {
    return ranges.some(([range, bits]) => address.kind() === range.kind() && address.match(range, bits))
  }

  return ({ socket, headers }) => {
    let caller = toAddress(socket.remoteAddress ?? '')
    if (!caller) return ''
    const forwarded = [headers['x-forwarded-for'] ?? ''].flat().join(',').split(',')
    while (isTrusted(caller)) {
      const before = toAddress(forwarded.pop()?.trim() ?? '')
      if (!before) break
      caller = before
    }
    return caller.toString()
  }
}

function toRange(entry: string): Range {
  try {
    if (entry.includes('/')) return ipaddr.parseCIDR(entry)
    const address = ipaddr.process(entry)
    return [address, address.kind() === 'ipv4' ? 32 : 128]
  } catch {
    throw new Error(`TRUSTED_PROXIES: ${entry} is neither an address nor a range like 10.0.0.0/8`)
  }
}

/** IPv4 that was mapped into IPv6 reads as IPv4. */
function toAddress(text: string): Address | undefined {
  return ipaddr.isValid(text) ? ipaddr.process(text) : undefined
}
