import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** Ranges that may be reached although they are private; see {@link readRanges}. */
export type AllowedRanges = readonly (readonly [Address, number])[]

const globalUnicast6 = ipaddr.IPv6.parseCIDR('2000::/3')
const ipv4Mapped = ipaddr.IPv6.parseCIDR('::ffff:0:0/96')

/**
 * Ranges that are public by their numbers, and lead to the inside of a cloud from its own machines: metadata, the agent
 * of the host, and services that trust the network.
 */
const insideClouds = [
  // Azure: the agent of the host.
  '168.63.129.16/32',
  // Google: restricted.googleapis.com and private.googleapis.com.
  '199.36.153.4/30',
  '199.36.153.8/30',
  // IBM: infrastructure and services.
  '161.26.0.0/16',
  '166.8.0.0/14',
  // Equinix: metadata.
  '192.80.8.124/32',
].map((range) => ipaddr.IPv4.parseCIDR(range))

/** Whether a text is a range like `127.0.0.1/32` or `fd00::/8`, or a single address. */
export function isRange(text: string): boolean {
  return ipaddr.isValidCIDR(text) || ipaddr.isValid(text)
}

/** Reads ranges that {@link isRange} accepts. Throws an Error that names the one that cannot be read. */
export function readRanges(texts: readonly string[]): AllowedRanges {
  return texts.map((text) => {
    if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text)
    if (!ipaddr.isValid(text)) throw new Error(`"${text}" is not an address range like 127.0.0.1/32`)
    const address = ipaddr.parse(text)
    return [address, address.kind() === 'ipv4' ? 32 : 128]
  })
}

/**
 * Whether the service may connect to a literal IP address that a stranger chose: public unicast only, unless `allowed`
 * holds it. Everything that is not known to be public is refused, so also what is no address at all.
 */
export function mayReach(text: string, allowed: AllowedRanges): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = unwrap(ipaddr.parse(text))
  return isAllowed(address, allowed) || isPublic(address)
}

/** An IPv4 address may come wrapped into IPv6, and the network treats both as the same. */
function unwrap(address: Address): Address {
  return isIpv6(address) && address.match(...ipv4Mapped) ? address.toIPv4Address() : address
}

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false
  if (!isIpv6(address)) return !insideClouds.some((range) => address.match(...range))
  // Outside 2000::/3 lie the embedded forms that ipaddr.js has no name for, such as ::127.0.0.1.
  return !address.zoneId && address.match(...globalUnicast6)
}

function isAllowed(address: Address, allowed: AllowedRanges): boolean {
  return allowed.some(([network, bits]) => address.kind() === network.kind() && address.match(network, bits))
}

function isIpv6(address: Address): address is ipaddr.IPv6 {
  return address.kind() === 'ipv6'
}
