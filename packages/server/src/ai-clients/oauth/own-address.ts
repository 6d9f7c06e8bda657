import { isIP } from 'node:net'
import type { Services } from '#services.ts'

/** The settings that decide which addresses are ours. */
export type AddressSettings = Pick<Services['config'], 'mcp' | 'host'>

/** What a request was sent to. */
export interface OwnAddress {
  /** The origin that AI clients know the service by; null where they cannot use OAuth. */
  readonly issuer: string | null
  /** The origin that pages for people are opened at. */
  readonly origin: string
}

/** Returns whether a host name means this machine. */
export function isLoopback(hostname: string): boolean {
  const name = hostname.replace(/^\[(.*)\]$/, '$1').toLowerCase()
  return name === 'localhost' || name === '::1' || (isIP(name) === 4 && name.startsWith('127.'))
}

/**
 * Returns how a request with this Host header addressed the service, or null when the host is not ours: a website may
 * have pointed its own name at this machine (DNS rebinding).
 */
export function ownAddress({ mcp, host }: AddressSettings, hostHeader: string | undefined): OwnAddress | null {
  const given = parseHost(hostHeader)
  if (!given) return null
  const local = isLoopback(host) && isLoopback(given.hostname)
  if (mcp.publicUrl === null) {
    if (isLoopback(host)) return local ? { issuer: `http://${given.host}`, origin: `http://${given.host}` } : null
    return { issuer: null, origin: `http://${given.host}` }
  }
  const own = new URL(mcp.publicUrl)
  const isOwn = given.hostname === own.hostname && given.port === own.port
  const isDefaultPort = given.hostname === own.hostname && `${defaultPorts[own.protocol]}` === given.port
  if (!isOwn && !isDefaultPort && !local) return null
  return { issuer: canIssue(own) ? own.origin : null, origin: mcp.publicUrl }
}

const defaultPorts: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 }

/** OAuth needs https, or a service that only this machine reaches, and an address that is an origin. */
function canIssue(own: URL): boolean {
  return own.pathname === '/' && (own.protocol === 'https:' || isLoopback(own.hostname))
}

function parseHost(header: string | undefined): URL | null {
  if (header === undefined || !/^[\w.:[\]-]{1,255}$/.test(header) || !URL.canParse(`http://${header}`)) return null
  const url = new URL(`http://${header}`)
  return url.pathname === '/' && url.hash === '' ? url : null
}

/** Returns whether scripts of this Origin may call; requests of programs have none. */
export function isOwnOrigin(settings: AddressSettings, own: OwnAddress, origin: string | undefined): boolean {
  if (origin === undefined || origin === '') return true
  if (settings.mcp.allowedOrigins.includes(origin)) return true
  if (!URL.canParse(origin) || new URL(origin).origin !== origin) return false
  if (origin === new URL(own.origin).origin) return true
  return isLoopback(settings.host) && isLoopback(new URL(origin).hostname)
}
