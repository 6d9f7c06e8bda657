import { hash } from 'node:crypto'
import { connectionTokenForms, keyForms } from '@msgctl/contract'
import type { Caller } from '#api/http/handler.ts'
import type { Db } from '#platform/db/db.ts'
import type { ApiError } from '#platform/errors.ts'
import { apiError } from '#platform/errors.ts'
import { consoleToken } from './console-cookie.ts'
import { type CredentialRow, findKey, findKeyOf, noteKeyUse, useToken } from './credential-store.ts'
import type { Carrier } from './token-store.ts'

/** The caller, and what the checks after the credentials need to know of the organization. */
export interface Identity {
  readonly caller: Caller
  readonly deactivated: boolean
  /** Whether the organization moves to another installation, and the address once it has moved. */
  readonly moving?: boolean
  readonly movedTo?: string | null
  /** Whether a product of the organization is off only because the free trial, or what was paid, has ended. */
  readonly trialEnded: boolean
  /** Whether the organization requires two steps, and this session made only one. */
  readonly twoFactorMissing?: boolean
  /** Whether its owners and admins administer the service, and whether this session made two steps. */
  readonly platformAdmin?: boolean
  readonly twoFactorMade?: boolean
}

const reasons = {
  missing_credentials: 'Send your key in the X-API-Key header, or a session token as Authorization: Bearer.',
  invalid_api_key: 'This API key is not known. It may have been regenerated.',
  invalid_session: 'This session token is not known or has expired. Sign in again.',
} as const

const keyAsToken = 'This is an API key. Send it in the X-API-Key header; Authorization: Bearer is for session tokens.'

/**
 * Finds who calls, by one query. Nothing is cached, so that a key that was regenerated stops working at once in every
 * process (specification, "Key rules"). Throws AUTH_ERROR with its reason, and OAUTH_TOKEN_SCOPE for the token of an AI
 * client.
 */
export async function authenticate(
  db: Db,
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Promise<Identity> {
  const credentials = presented(headers)
  if (credentials === 'connection_token') {
    throw apiError('OAUTH_TOKEN_SCOPE', 'The token of an AI client works only at /mcp. Use a key or a session here.')
  }
  if (typeof credentials === 'string') throw refused(credentials)
  if (credentials.kind === 'token') {
    const holder = await useToken(db, credentials.hash, credentials.carrier)
    if (!holder) throw refused('invalid_session', isKeyAsToken(headers.authorization) ? keyAsToken : undefined)
    return identity(holder, credentials)
  }
  const holder = await findKey(db, credentials.hash)
  if (!holder) throw refused('invalid_api_key')
  if (holder.isUseNew) await noteKeyUse(db, credentials.hash)
  return identity(holder, credentials)
}

/**
 * Returns the holder, as it is now, of the account key or the key of a number that there was at a time; null where
 * there was none, and where it has been deleted or replaced since then.
 */
export async function identifyKeyOf(
  db: Db,
  organizationId: string,
  key: { readonly containerId: string | null; readonly at: Date },
): Promise<Identity | null> {
  const row = await findKeyOf(db, organizationId, key)
  return row ? identity(row, { hash: row.keyHash }) : null
}

function refused(reason: keyof typeof reasons, message: string = reasons[reason]): ApiError {
  return apiError('AUTH_ERROR', message, { reason })
}

function isKeyAsToken(authorization: string | string[] | undefined): boolean {
  return typeof authorization === 'string' && /^bearer +ms[kn]_/i.test(authorization)
}

/** Returns the identity of a found credential with this hash. */
export function identity(row: CredentialRow, { hash }: Pick<Presented, 'hash'>): Identity {
  const { userId, containerId } = row
  return {
    deactivated: row.deactivated,
    moving: row.moving,
    movedTo: row.movedTo,
    trialEnded: row.trialEnded,
    twoFactorMissing: row.twoFactorMissing,
    platformAdmin: row.platformAdmin,
    twoFactorMade: row.twoFactorMade,
    caller: {
      kind: userId !== null ? 'user' : containerId !== null ? 'number_key' : 'account_key',
      role: userId !== null ? row.role : 'admin',
      containerId: userId !== null ? null : containerId,
      userId,
      credential: credentialName(row),
      organizationId: row.organizationId,
      products: new Set(row.products),
      trial: row.trial,
      credentialHash: hash,
    },
  }
}

function credentialName({ userId, containerId }: CredentialRow): string {
  if (userId !== null) return `user:${userId}`
  return containerId !== null ? `number:${containerId}` : 'account'
}

const bearer = /^Bearer +([A-Za-z0-9._~+/=-]{1,256})$/i

/** A key or a token as it was presented. Only its hash goes further than this file. */
export type Presented =
  | { readonly kind: 'key'; readonly hash: Buffer }
  | { readonly kind: 'token'; readonly hash: Buffer; readonly carrier: Carrier }

/** Returns whether a text has the form of a token of an AI client, which works only at /mcp. */
function isConnectionToken(text: string): boolean {
  return connectionTokenForms.access.test(text) || connectionTokenForms.refresh.test(text)
}

/** SHA-256 over the whole text of a key or token, prefix included: what is stored and looked up. */
export function hashCredential(text: string): Buffer {
  return hash('sha256', text, 'buffer')
}

/**
 * Reads the credentials of a request: X-API-Key takes precedence over Authorization, and both over the cookie of the
 * console. Returns the reason of AUTH_ERROR when there are none, or none of a form that could exist; such a text is
 * never hashed, so its length costs nothing.
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
    return token === undefined ? 'invalid_session' : toToken(token, 'bearer')
  }
  const cookie = consoleToken(headers)
  return cookie === undefined ? 'missing_credentials' : toToken(cookie, 'cookie')
}

function toToken(text: string, carrier: Carrier): Presented {
  return { kind: 'token', hash: hashCredential(text), carrier }
}
