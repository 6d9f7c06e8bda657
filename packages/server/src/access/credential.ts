import { createHash } from 'node:crypto'
import { connectionTokenForms, keyForms } from '@msgctl/contract'
import { consoleToken } from './console-cookie.ts'

const bearer = /^Bearer +([A-Za-z0-9._~+/=-]{1,256})$/i

/** A key or a token as it was presented. Only its hash goes further than this file. */
export interface Presented {
  readonly kind: 'key' | 'token'
  readonly hash: Buffer
}

/** Returns whether a text has the form of a token of an AI client, which works only at /mcp. */
function isConnectionToken(text: string): boolean {
  return connectionTokenForms.access.test(text) || connectionTokenForms.refresh.test(text)
}

/** SHA-256 over the whole text of a key or token, prefix included: what is stored and looked up. */
export function hashCredential(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/**
 * Reads the credentials of a request: X-API-Key takes precedence over Authorization, and both over the cookie of the console.
 * Returns the reason of AUTH_ERROR when there are none, or none of a form that could exist; such a text is never hashed, so
 * its length costs nothing.
 */
export function presented(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Presented | 'missing_credentials' | 'invalid_api_key' | 'invalid_session' | 'connection_token' {
  const key = headers['x-api-key']
  if (typeof key === 'string' && key !== '') {
    const known = keyForms.account.test(key) || keyForms.number.test(key)
    return known ? { kind: 'key', hash: hashCredential(key) } : 'invalid_api_key'
  }
  const authorization = headers.authorization
  if (typeof authorization === 'string' && authorization !== '') {
    const token = bearer.exec(authorization)?.[1]
    if (token !== undefined && isConnectionToken(token)) return 'connection_token'
    return token === undefined ? 'invalid_session' : { kind: 'token', hash: hashCredential(token) }
  }
  const cookie = consoleToken(headers)
  return cookie === undefined ? 'missing_credentials' : { kind: 'token', hash: hashCredential(cookie) }
}
