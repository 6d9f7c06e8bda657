import { randomBytes } from 'node:crypto'
import type Koa from 'koa'

const plainName = 'msgctl_consent'
const lasting = 24 * 60 * 60 * 1000

/** Returns the name of the cookie that binds a request to a browser: with https no other host can set it. */
function nameFor(issuer: string): string {
  return issuer.startsWith('https:') ? `__Host-${plainName}` : plainName
}

/** Returns the value that names this browser, and sets it where it has none. */
export function browserOf(ctx: Koa.Context, issuer: string): string {
  const known = readBrowser((name) => ctx.cookies.get(name))
  const value = known ?? randomBytes(32).toString('base64url')
  const name = nameFor(issuer)
  const attributes = [`${name}=${value}`, 'Path=/', 'HttpOnly', 'SameSite=Lax', `Max-Age=${lasting / 1000}`]
  if (issuer.startsWith('https:')) attributes.push('Secure')
  ctx.append('Set-Cookie', attributes.join('; '))
  return value
}

/** Returns the value that names the browser of a request, or null. */
export function readBrowser(cookie: (name: string) => string | undefined): string | null {
  const value = cookie(`__Host-${plainName}`) ?? cookie(plainName)
  return value !== undefined && /^[A-Za-z0-9_-]{43}$/.test(value) ? value : null
}
