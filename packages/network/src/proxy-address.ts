import type { SecretLocation } from './secrets.ts'

const schemes = ['http:', 'https:', 'socks5:', 'socks5h:', 'socks4:', 'socks4a:']
const longest = 500

/** Where the proxy of a number is stored. */
export function proxyLocation(containerId: string): SecretLocation {
  return `gateway_sessions:sealed_proxy:${containerId}`
}

/** Returns the address of a proxy in its usual form; null for a text that is none. */
export function parseProxy(text: string): string | null {
  const trimmed = text.trim()
  if (trimmed.length > longest || !URL.canParse(trimmed)) return null
  const { protocol, hostname, pathname, search, hash, href } = new URL(trimmed)
  if (!schemes.includes(protocol) || hostname === '' || search !== '' || hash !== '') return null
  return pathname === '' || pathname === '/' ? href.replace(/\/$/, '') : null
}

/** Returns the address of a proxy without its user name and password. */
export function maskProxy(proxy: string): string {
  const { protocol, host, username, password } = new URL(proxy)
  return `${protocol}//${username === '' && password === '' ? '' : '***@'}${host}`
}
