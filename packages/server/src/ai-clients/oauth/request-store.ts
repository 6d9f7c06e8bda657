import type { AiScope } from '@msgctl/contract'
import { type Db, firstRow, serviceNow } from '#platform/db/db.ts'
import type { Row } from '#platform/db/tables.ts'

/** A request of an AI client for a connection. */
export interface OAuthRequest extends Omit<Row<'oauth_requests'>, 'scopes' | 'expiresAt' | 'answeredAt'> {
  readonly scopes: AiScope[]
}

/** A stored request. */
export interface StoredRequest extends OAuthRequest {
  readonly expiresAt: Date
  readonly isExpired: boolean
  readonly isAnswered: boolean
}

/** Stores a request for some seconds. */
export async function insertRequest(db: Db, request: OAuthRequest, seconds: number): Promise<void> {
  await db('oauth_requests').insert({
    id: request.id,
    clientId: request.clientId,
    clientName: request.clientName,
    clientHost: request.clientHost,
    redirectUri: request.redirectUri,
    scopes: request.scopes,
    state: request.state,
    codeChallenge: request.codeChallenge,
    issuer: request.issuer,
    browserHash: request.browserHash,
    expiresAt: serviceNow(db, seconds * 1000),
  })
}

/** Returns a request, or undefined. In a transaction it is locked. */
export async function findRequest(db: Db, id: string): Promise<StoredRequest | undefined> {
  return firstRow<StoredRequest>(
    db,
    `select id, client_id, client_name, client_host, redirect_uri, scopes, state, code_challenge, issuer, browser_hash,
            expires_at,
            expires_at <= (select service_now()) as is_expired, answered_at is not null as is_answered
       from oauth_requests where id = :id ${db.isTransaction ? 'for update' : ''}`,
    { id },
  )
}

/** Notes that a request was answered. */
export async function answerRequest(trx: Db, id: string): Promise<void> {
  await trx('oauth_requests')
    .where({ id })
    .update({ answeredAt: serviceNow(trx) })
}

/** A code that a client exchanges for tokens. */
export interface OAuthCode {
  readonly hash: Buffer
  readonly connectionId: string
  readonly clientId: string
  readonly redirectUri: string
  readonly codeChallenge: string
}

/** Stores a code for some seconds. */
export async function insertCode(trx: Db, code: OAuthCode, seconds: number): Promise<void> {
  await trx('oauth_codes').insert({
    codeHash: code.hash,
    connectionId: code.connectionId,
    clientId: code.clientId,
    redirectUri: code.redirectUri,
    codeChallenge: code.codeChallenge,
    expiresAt: serviceNow(trx, seconds * 1000),
  })
}

/** A code as it was found. */
export interface StoredCode extends Omit<OAuthCode, 'hash'> {
  readonly isExpired: boolean
  readonly isUsed: boolean
  readonly organizationId: string
  readonly scopes: AiScope[]
}

/** Locks and returns a code of a connection that has not ended, or undefined. */
export async function lockCode(trx: Db, hash: Buffer): Promise<StoredCode | undefined> {
  return firstRow<StoredCode>(
    trx,
    `select k.connection_id, k.client_id, k.redirect_uri,
            k.code_challenge, k.expires_at <= (select service_now()) as is_expired,
            k.used_at is not null as is_used, c.organization_id, c.scopes
       from oauth_codes k join mcp_connections c on c.id = k.connection_id and c.revoked_at is null
      where k.code_hash = :hash for update of k`,
    { hash },
  )
}

/** Marks a code as used. */
export async function useCode(trx: Db, hash: Buffer): Promise<void> {
  await trx('oauth_codes')
    .where({ codeHash: hash })
    .update({ usedAt: serviceNow(trx) })
}

const hour = 60 * 60 * 1000

/** Deletes up to `limit` requests and as many codes that expired an hour ago. Returns how many there were. */
export async function deleteExpiredRequests(db: Db, limit = 5000): Promise<number> {
  const requests = db('oauth_requests').select('id').where('expiresAt', '<', serviceNow(db, -hour)).limit(limit)
  const codes = db('oauth_codes').select('codeHash').where('expiresAt', '<', serviceNow(db, -hour)).limit(limit)
  return (
    (await db('oauth_requests').whereIn('id', requests).delete()) +
    (await db('oauth_codes').whereIn('codeHash', codes).delete())
  )
}
