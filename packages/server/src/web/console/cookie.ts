import ipaddr from 'ipaddr.js'
import { cookieNames } from '#api/access/console-cookie.ts'
import { apiError } from '#platform/errors.ts'
import type { Services } from '#services.ts'

/** As long as a session can last at most. */
const maxAgeSeconds = 30 * 24 * 60 * 60

/** Returns whether a page was loaded over https. The browser says so in Origin, so that no proxy has to be believed. */
function isEncrypted(origin: string): boolean {
  return origin.startsWith('https:')
}

/**
 * Throws FORBIDDEN_ACTION for a sign-in in production over a connection that anyone on its way can read. Connections of
 * the machine to itself are allowed, and all with CONSOLE_INSECURE.
 */
export function requireSafeConnection({ production, console }: Services['config'], origin: string): void {
  if (!production || console.insecure || isEncrypted(origin) || isLoopback(origin)) return
  throw apiError(
    'FORBIDDEN_ACTION',
    'This connection is not encrypted, so this page takes no sign-in. Open it over https. ' +
      'CONSOLE_INSECURE=1 allows it.',
    { reason: 'not_encrypted' },
  )
}

function isLoopback(origin: string): boolean {
  const { hostname } = URL.canParse(origin) ? new URL(origin) : { hostname: '' }
  const address = hostname.replace(/^\[|\]$/g, '')
  return hostname === 'localhost' || (ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback')
}

/** Returns the Set-Cookie header that keeps a session token in the browser, out of reach of its scripts. */
export function keepToken(token: string, origin: string): string {
  const [name, secure] = isEncrypted(origin) ? [cookieNames.encrypted, '; Secure'] : [cookieNames.plain, '']
  return `${name}=${token}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${secure}`
}

/** Returns the Set-Cookie headers that drop the token. */
export function dropToken(): string[] {
  const drop = (name: string, more: string) => `${name}=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict${more}`
  return [drop(cookieNames.encrypted, '; Secure'), drop(cookieNames.plain, '')]
}
