import { isLoopback } from './own-address.ts'

const longest = 2000
/** Schemes that run or show what they hold instead of opening a program. */
const refusedSchemes = new Set([
  'javascript:',
  'data:',
  'file:',
  'blob:',
  'about:',
  'vbscript:',
  'view-source:',
  'ws:',
  'wss:',
  'ftp:',
])

/** What a redirect address opens. */
export type RedirectKind = 'web' | 'loopback' | 'program'

/** Returns what a redirect address opens, or null for one that is never allowed. */
export function redirectKind(address: string): RedirectKind | null {
  if (address.length > longest || /[\s\p{Cc}\\*]/u.test(address) || !URL.canParse(address)) return null
  const url = new URL(address)
  if (address.includes('#') || url.username !== '' || url.password !== '' || url.host.includes('*')) return null
  if (url.protocol === 'https:') return url.hostname === '' ? null : 'web'
  if (url.protocol === 'http:') return isLiteralLoopback(url.hostname) ? 'loopback' : null
  if (refusedSchemes.has(url.protocol)) return null
  return /^[a-z][a-z0-9+.-]*:\/?\/?[^/]/i.test(address) ? 'program' : null
}

/** Loopback for redirects is these three; other addresses of 127.0.0.0/8 may be other programs. */
function isLiteralLoopback(hostname: string): boolean {
  return isLoopback(hostname) && (hostname === '127.0.0.1' || hostname === '[::1]' || hostname === 'localhost')
}

/** Returns the allowed ones of the addresses that a client gave, each once. */
export function allowedRedirects(addresses: readonly unknown[]): string[] {
  const allowed = addresses.filter(
    (address): address is string => typeof address === 'string' && redirectKind(address) !== null,
  )
  return [...new Set(allowed)]
}

/**
 * Returns whether an address is a registered one: the same text, but for the port of a loopback address (RFC 8252,
 * 7.3).
 */
export function isRegisteredRedirect(registered: readonly string[], address: string): boolean {
  if (registered.includes(address)) return true
  if (redirectKind(address) !== 'loopback') return false
  return registered.some((one) => redirectKind(one) === 'loopback' && withoutPort(one) === withoutPort(address))
}

/** The text of a loopback address without its port; everything else stays as it was written. */
function withoutPort(address: string): string {
  return address.replace(/^(http:\/\/(?:\[::1\]|[^/:?#]+))(?::\d*)?/i, '$1')
}
