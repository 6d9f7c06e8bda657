import { createHash } from 'node:crypto'
import { keyForms } from '@msgctl/contract'

const bearer = /^Bearer +([A-Za-z0-9._~+/=-]{1,256})$/i

/** A key or a token as it was presented. Only its hash goes further than this file. */
export interface Presented {
  readonly kind: 'key' | 'token'
  readonly hash: Buffer
}

/** SHA-256 over the whole text of a key or token, prefix included: what is stored and looked up. */
export function hashCredential(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/**
 * Reads the credentials of a request: X-API-Key takes precedence over Authorization. Returns the reason of AUTH_ERROR when there are
 * none, or none of a form that could exist; such a text is never hashed, so its length costs nothing.
 */
export function presented(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Presented | 'missing_credentials' | 'invalid_api_key' | 'invalid_session' {
  const key = headers['x-api-key']
  if (typeof key === 'string' && key !== '') {
    const known = keyForms.account.test(key) || keyForms.number.test(key)
    return known ? { kind: 'key', hash: hashCredential(key) } : 'invalid_api_key'
  }
  const authorization = headers.authorization
  if (typeof authorization !== 'string' || authorization === '') return 'missing_credentials'
  const token = bearer.exec(authorization)?.[1]
  return token === undefined ? 'invalid_session' : { kind: 'token', hash: hashCredential(token) }
}
