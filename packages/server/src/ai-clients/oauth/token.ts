import { randomBytes } from 'node:crypto'
import { type AiScope, limits } from '@msgctl/contract'
import { hashCredential } from '#api/access/authenticate.ts'
import { insertConnectionToken, lockRefreshToken, markUsed } from '#api/access/connection-store.ts'
import { endConnectionsOf } from '#api/access/connections.ts'
import { type Db, transaction } from '#platform/db/db.ts'
import { OAuthError } from './oauth-error.ts'
import { fitsChallenge, parameter, parseScopes, required, requireResource } from './parameters.ts'
import { lockCode, useCode } from './request-store.ts'
import { limitConnection } from './token-limits.ts'

const day = 24 * 60 * 60

/** Exchanges a code or a refresh token for tokens (RFC 6749, 4.1.3 and 6). Throws OAuthError. */
export async function token(db: Db, form: URLSearchParams, issuer: string): Promise<object> {
  const clientId = required(form, 'client_id')
  const grant = required(form, 'grant_type')
  requireResource(form, issuer)
  if (grant === 'authorization_code') return withCode(db, form, clientId)
  if (grant === 'refresh_token') return withRefreshToken(db, form, clientId)
  throw new OAuthError('unsupported_grant_type', 'The grants here are authorization_code and refresh_token.')
}

/** A grant that is refused, and why. */
interface Refused {
  readonly refused: string
}

async function settle(db: Db, exchange: (trx: Db) => Promise<object | Refused>): Promise<object> {
  // A refusal is returned, not thrown: ending the connection must be committed.
  const settled = await transaction(db, exchange)
  if ('refused' in settled) throw new OAuthError('invalid_grant', String(settled.refused))
  return settled
}

function withCode(db: Db, form: URLSearchParams, clientId: string): Promise<object> {
  const hash = hashCredential(required(form, 'code'))
  const redirectUri = required(form, 'redirect_uri')
  const verifier = required(form, 'code_verifier')
  return settle(db, async (trx) => {
    const code = await lockCode(trx, hash)
    if (!code) return { refused: 'The code is not known.' }
    const { connectionId, scopes } = code
    if (code.isUsed) {
      await endConnectionsOf(trx, { id: connectionId }, { reason: 'code_reuse' })
      return { refused: 'The code was used before, so the connection has ended.' }
    }
    if (code.isExpired) return { refused: 'The code has expired.' }
    const fits = code.clientId === clientId && code.redirectUri === redirectUri
    if (!fits || !fitsChallenge(verifier, code.codeChallenge)) {
      return { refused: 'The code was issued for another client, redirect address or verifier.' }
    }
    await useCode(trx, hash)
    return issue(trx, code, { scopes, refreshed: scopes })
  })
}

function withRefreshToken(db: Db, form: URLSearchParams, clientId: string): Promise<object> {
  const hash = hashCredential(required(form, 'refresh_token'))
  const wanted = parseScopes(parameter(form, 'scope'))
  return settle(db, async (trx) => {
    const found = await lockRefreshToken(trx, hash)
    if (!found || found.clientId !== clientId) return { refused: 'The refresh token is not known.' }
    const { connectionId, usedSeconds } = found
    // Two windows of one client refresh at once; a thief comes later.
    if (usedSeconds !== null && usedSeconds > limits.oauth.refreshGraceSeconds) {
      await endConnectionsOf(trx, { id: connectionId }, { reason: 'token_reuse' })
      return { refused: 'The refresh token was used before, so the connection has ended.' }
    }
    if (found.isExpired) return { refused: 'The refresh token has expired.' }
    const refreshed = found.scopes as AiScope[]
    if (wanted?.some((scope) => !refreshed.includes(scope))) {
      throw new OAuthError('invalid_scope', 'More than was given needs the consent of the person.')
    }
    await markUsed(trx, hash)
    return issue(trx, found, { scopes: wanted ?? refreshed, refreshed })
  })
}

interface Issued {
  readonly scopes: AiScope[]
  /** What a later refresh may ask for. */
  readonly refreshed: AiScope[]
}

async function issue(
  trx: Db,
  connection: { readonly organizationId: string; readonly connectionId: string },
  { scopes, refreshed }: Issued,
): Promise<object> {
  await limitConnection(trx, connection)
  const { connectionId } = connection
  const access = `mat_${randomBytes(32).toString('hex')}`
  const refresh = `mrt_${randomBytes(32).toString('hex')}`
  const { accessSeconds, refreshDays } = limits.oauth
  await insertConnectionToken(trx, {
    hash: hashCredential(access),
    connectionId,
    kind: 'access',
    scopes,
    seconds: accessSeconds,
  })
  await insertConnectionToken(trx, {
    hash: hashCredential(refresh),
    connectionId,
    kind: 'refresh',
    scopes: refreshed,
    seconds: refreshDays * day,
  })
  return {
    access_token: access,
    token_type: 'Bearer',
    expires_in: accessSeconds,
    refresh_token: refresh,
    scope: scopes.join(' '),
  }
}
