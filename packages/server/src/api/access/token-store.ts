import { type Db, firstRow, rows, serviceNow } from '#platform/db/db.ts'
import type { Row } from '#platform/db/tables.ts'

/** How a session's token is presented: as Bearer by programs, in the cookie by the page of the console. */
export type Carrier = 'bearer' | 'cookie'

const dayMs = 24 * 60 * 60 * 1000

/** Stores a token by its hash. Returns its latest expiry. */
export async function insertToken(
  trx: Db,
  token: {
    id: string
    hash: Buffer
    userId: string
    organizationId: string
    days: number
    ip: string | null
    userAgent: string | null
    twoFactor: boolean
    carrier: Carrier
  },
): Promise<Date> {
  const [stored] = await trx('user_tokens')
    .insert({
      tokenHash: token.hash,
      id: token.id,
      userId: token.userId,
      organizationId: token.organizationId,
      createdAt: serviceNow(trx),
      lastUsedAt: serviceNow(trx),
      expiresAt: serviceNow(trx, token.days * dayMs),
      ip: token.ip,
      userAgent: token.userAgent,
      twoFactorAt: token.twoFactor ? serviceNow(trx) : null,
      carrier: token.carrier,
    })
    .returning('expiresAt')
  if (!stored) throw new Error('storing a token returned no row')
  return stored.expiresAt
}

/** Deletes one token. */
export async function deleteToken(db: Db, organizationId: string, tokenHash: Buffer): Promise<void> {
  await db('user_tokens').where({ tokenHash, organizationId }).delete()
}

/** Deletes the tokens of an organization, or those of one person for it. Returns how many there were. */
export async function deleteTokensOf(trx: Db, organizationId: string, userId: string | null): Promise<number> {
  const tokens = trx('user_tokens').where({ organizationId })
  return userId === null ? tokens.delete() : tokens.where({ userId }).delete()
}

/** Deletes the tokens of a person for all organizations, except for `kept`. Returns how many there were. */
export async function deleteTokensOfUser(trx: Db, userId: string, kept?: Buffer): Promise<number> {
  const tokens = trx('user_tokens').where({ userId })
  return kept === undefined ? tokens.delete() : tokens.whereNot({ tokenHash: kept }).delete()
}

/** Deletes up to `limit` expired tokens. Returns how many there were. */
export async function deleteExpiredTokens(db: Db, limit: number): Promise<number> {
  const expired = db('user_tokens').select('tokenHash').where('expiresAt', '<', serviceNow(db)).limit(limit)
  return db('user_tokens').whereIn('tokenHash', expired).delete()
}

/** Deletes the oldest tokens of a person beyond `kept`. */
export async function deleteOldestTokens(trx: Db, userId: string, kept: number): Promise<void> {
  const beyond = trx('user_tokens').select('id').where({ userId }).orderBy('createdAt', 'desc').offset(kept)
  await trx('user_tokens').whereIn('id', beyond).delete()
}

/** A session as its person sees it. */
export interface SessionRow
  extends Pick<Row<'user_tokens'>, 'id' | 'tokenHash' | 'createdAt' | 'lastUsedAt' | 'expiresAt' | 'ip' | 'userAgent'> {
  readonly organizationId: string
  readonly organizationName: string
}

/** Returns the sessions of a person that still work, the latest first. */
export async function listSessions(db: Db, userId: string): Promise<SessionRow[]> {
  return rows<SessionRow>(
    db,
    `select t.id, t.token_hash, o.id as organization_id, o.name as organization_name, t.created_at, t.last_used_at,
            t.expires_at, t.ip, t.user_agent
       from user_tokens t
       join members m on m.organization_id = t.organization_id and m.user_id = t.user_id
       join organizations o on o.id = t.organization_id
      where t.user_id = :userId and o.deleted_at is null and t.expires_at > (select service_now())
        and t.last_used_at > (select service_now()) - interval '12 h'
      order by t.created_at desc, t.id`,
    { userId },
  )
}

/** Ends one session of a person. Returns its organization, or undefined when there is no such session. */
export async function deleteSession(trx: Db, userId: string, id: string): Promise<string | undefined> {
  const [ended] = await trx('user_tokens').where({ userId, id }).delete().returning('organizationId')
  return ended?.organizationId
}

/** Returns whether a person has sessions, and whether one of them is of this client. */
export async function findClients(trx: Db, userId: string, userAgent: string | null) {
  const [found] = await rows<{ any: boolean; known: boolean }>(
    trx,
    `select count(*) > 0 as any, coalesce(bool_or(user_agent is not distinct from :userAgent), false) as known
       from user_tokens where user_id = :userId`,
    { userId, userAgent },
  )
  return found ?? { any: false, known: false }
}

/** Notes that a session made the second step of the sign-in. */
export async function writeTwoFactor(trx: Db, tokenHash: Buffer): Promise<void> {
  await trx('user_tokens')
    .where({ tokenHash })
    .update({ twoFactorAt: serviceNow(trx) })
}

/** Makes all sessions of a person count as signed in with one step. */
export async function clearTwoFactor(trx: Db, userId: string): Promise<void> {
  await trx('user_tokens').where({ userId }).update({ twoFactorAt: null })
}

/**
 * Locks the session of a request in a transaction that makes other access for its person: what ends all access waits
 * for it, and ends the new one too. Returns undefined when the session has ended since the request began.
 */
export async function lockSession(trx: Db, tokenHash: Buffer): Promise<{ readonly twoFactor: boolean } | undefined> {
  return firstRow<{ twoFactor: boolean }>(
    trx,
    `select two_factor_at is not null as two_factor from user_tokens where token_hash = :tokenHash for share`,
    { tokenHash },
  )
}

/** Returns whether a session made the second step of the sign-in. */
export async function hasTwoFactor(db: Db, tokenHash: Buffer): Promise<boolean> {
  return (await db('user_tokens').select('id').where({ tokenHash }).whereNotNull('twoFactorAt')).length > 0
}

/** Deletes the tokens of all people. Returns how many there were. */
export async function deleteAllTokens(trx: Db): Promise<number> {
  return trx('user_tokens').delete()
}
