import { isIP } from 'node:net'
import { type AllowedRanges, mayReach, readRanges } from './address.ts'

/** The address as a URL, or why it is refused: a predicate such as `must not hold a user name or password`. */
export type UrlVerdict =
  | { readonly url: URL; readonly refusal?: never }
  | { readonly url?: never; readonly refusal: string }

/** The longest address, as the contract has it. Gateway hosts, which know no contract, share this file. */
export const maxUrlLength = 2000

/** Names that only ever mean a machine nearby (RFC 6761, RFC 6762, RFC 8375 and the ICANN reservation of .internal). */
const localSuffixes = ['local', 'internal', 'home.arpa', 'lan', 'intranet', 'corp', 'home', 'private']

/** Ports above 1023 on which no web server is expected: those browsers refuse, and usual databases and daemons. */
const deniedPorts = new Set([
  1433, 1521, 1719, 1720, 1723, 2049, 2375, 2376, 2379, 2380, 3306, 3389, 3659, 4045, 4190, 5060, 5061, 5432, 5672,
  6000, 6379, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 9092, 10080, 11211, 27017,
])

/**
 * Judges an address that a stranger gives us, by what is written: form, port, user info, and a host that is a literal
 * or a local name. No name is looked up here; that happens at every connection. `allowPrivateTargets` holds ranges that
 * may be reached although they are private.
 */
export function judgeUrl(text: string, allowPrivateTargets: readonly string[] = []): UrlVerdict {
  if (text.length > maxUrlLength) return { refusal: `must have at most ${maxUrlLength} characters` }
  if (/[\p{Cc}\s]/u.test(text)) return { refusal: 'must not contain spaces, line breaks or control characters' }
  if (!URL.canParse(text)) return { refusal: 'must be a complete http or https address' }
  const url = new URL(text)
  const refusal = refusalOf(url, readRanges(allowPrivateTargets))
  return refusal === null ? { url } : { refusal }
}

function refusalOf(url: URL, allowed: AllowedRanges): string | null {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'must be an http or https address'
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or password'
  if (!isWebPort(url.port)) return `must not use port ${url.port}: 80, 443 and most ports above 1023 are possible`
  const host = normalizeHost(url.hostname)
  if (isReachable(host, allowed)) return null
  return `must be a public address, and ${host} is private or local`
}

function isWebPort(port: string): boolean {
  const number = Number(port)
  return port === '' || number === 80 || number === 443 || (number >= 1024 && !deniedPorts.has(number))
}

function isReachable(host: string, allowed: AllowedRanges): boolean {
  if (isIP(host) !== 0) return mayReach(host, allowed)
  if (isLocalhost(host)) return loopbacks(allowed).length > 0
  // With ranges allowed a name nearby may lead into them; whether it does is judged when the socket connects.
  return allowed.length > 0 || !isLocalName(host)
}

function isLocalName(host: string): boolean {
  return !host.includes('.') || localSuffixes.some((suffix) => host.endsWith(`.${suffix}`))
}

/** The host without the brackets of IPv6 and the final dot of a complete name. */
export function normalizeHost(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
}

/** Whether the name means this machine by definition (RFC 6761), so that no DNS server is queried for it. */
export function isLocalhost(host: string): boolean {
  return /^(.*\.)?localhost$/i.test(host)
}

/** The loopback addresses that may be reached, which is what localhost stands for. */
export function loopbacks(allowed: AllowedRanges): string[] {
  return ['127.0.0.1', '::1'].filter((address) => mayReach(address, allowed))
}
