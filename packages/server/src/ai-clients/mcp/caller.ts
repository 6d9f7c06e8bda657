import type { IncomingHttpHeaders } from 'node:http'
import { connectionTokenForms, keyForms } from '@msgctl/contract'
import { authenticate, hashCredential, type Identity } from '#api/access/authenticate.ts'
import { authenticateConnection } from '#api/access/connections.ts'
import type { Db } from '#platform/db/db.ts'
import { apiError } from '#platform/errors.ts'
import { fromConnection, toAiCaller } from './identity.ts'
import type { Scope } from './tool.ts'

/** An AI client that may call: who it acts as, and what it was given. */
export interface AiCaller {
  readonly identity: Identity
  /** Its connection; null for a key. */
  readonly connectionId: string | null
  /** What the token allows; null for a key, whose scopes are a setting of the organization. */
  readonly scopes: ReadonlySet<Scope> | null
}

const bearer = /^Bearer +(\S{1,256})$/i

/**
 * Finds who calls /mcp: an account key or a number's key, as X-API-Key or as Bearer (specification, "Authentication").
 * Sessions of people are not accepted. Throws AUTH_ERROR.
 */
export async function authenticateAi(db: Db, headers: IncomingHttpHeaders): Promise<AiCaller> {
  if (headers['x-api-key']) return byKey(db, headers['x-api-key'])
  if (!headers.authorization) {
    throw apiError('AUTH_ERROR', 'Send your key in X-API-Key or as Authorization: Bearer.', {
      reason: 'missing_credentials',
    })
  }
  const token = bearer.exec(headers.authorization)?.[1] ?? ''
  if (keyForms.account.test(token) || keyForms.number.test(token)) return byKey(db, token)
  if (connectionTokenForms.access.test(token) || connectionTokenForms.refresh.test(token)) return byToken(db, token)
  throw apiError('AUTH_ERROR', 'This is no API key. Sessions of people do not work here.', {
    reason: 'invalid_api_key',
  })
}

async function byToken(db: Db, token: string): Promise<AiCaller> {
  const connection = await authenticateConnection(db, hashCredential(token))
  if (connection) return fromConnection(connection)
  throw apiError('AUTH_ERROR', 'This token has expired or its connection has ended.', { reason: 'invalid_token' })
}

async function byKey(db: Db, key: string | string[]): Promise<AiCaller> {
  return toAiCaller(await authenticate(db, { 'x-api-key': key }))
}
