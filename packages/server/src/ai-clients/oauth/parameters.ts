import { createHash } from 'node:crypto'
import { type AiScope, aiScopes } from '@msgctl/contract'
import { basePath } from '#api/http/mount.ts'
import { OAuthError } from './oauth-error.ts'

const longest = 2000

/** Returns one parameter of a form or query. Throws invalid_request when it is there twice or too long. */
export function parameter(form: URLSearchParams, name: string): string | null {
  const [value, ...more] = form.getAll(name)
  if (more.length > 0) throw new OAuthError('invalid_request', `${name} is there more than once.`)
  if (value !== undefined && value.length > longest) throw new OAuthError('invalid_request', `${name} is too long.`)
  return value === undefined || value === '' ? null : value
}

/** Returns a parameter that must be there. */
export function required(form: URLSearchParams, name: string): string {
  const value = parameter(form, name)
  if (value === null) throw new OAuthError('invalid_request', `${name} is missing.`)
  return value
}

/** Returns the one resource that tokens are for. */
export function resourceOf(issuer: string): string {
  return `${issuer}${basePath}/mcp`
}

/** Throws invalid_target for another resource than ours; none means ours. */
export function requireResource(form: URLSearchParams, issuer: string): void {
  const own = resourceOf(issuer)
  const isOwn = (resource: string) => resource === own || resource === `${own}/`
  if (form.getAll('resource').every(isOwn)) return
  throw new OAuthError('invalid_target', `The only resource here is ${own}.`)
}

/** Returns the scopes that a text names, or null for none. `offline_access` is always given and asks for nothing. */
export function parseScopes(text: string | null): AiScope[] | null {
  const words = (text ?? '').split(' ').filter((word) => word !== '' && word !== 'offline_access')
  if (words.length === 0) return null
  const unknown = words.find((word) => !aiScopes.some((scope) => scope === word))
  if (unknown !== undefined) {
    throw new OAuthError('invalid_scope', `The scopes here are ${aiScopes.join(', ')}.`)
  }
  return aiScopes.filter((scope) => words.includes(scope))
}

/** Whether a text can be an S256 challenge: the base64url of a SHA-256. */
export function isChallenge(text: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(text)
}

/** Returns whether a verifier fits a challenge (RFC 7636). */
export function fitsChallenge(verifier: string, challenge: string): boolean {
  if (!/^[A-Za-z0-9._~-]{43,128}$/.test(verifier)) return false
  return createHash('sha256').update(verifier).digest('base64url') === challenge
}

/** Returns a redirect address with parameters added, the rest as the client wrote it. */
export function redirectWith(address: string, parameters: Readonly<Record<string, string | null>>): string {
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== null)
  return `${address}${address.includes('?') ? '&' : '?'}${new URLSearchParams(given)}`
}
