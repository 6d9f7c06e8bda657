import { type Db, serviceNow } from '../db/db.ts'

const dayMs = 24 * 60 * 60 * 1000

/** Stores a token by its hash. Returns its latest expiry. */
export async function insertToken(
  trx: Db,
  token: { hash: Buffer; userId: string; organizationId: string; days: number },
): Promise<Date> {
  const [stored] = await trx('user_tokens')
    .insert({
      token_hash: token.hash,
      user_id: token.userId,
      organization_id: token.organizationId,
      created_at: serviceNow(trx),
      last_used_at: serviceNow(trx),
      expires_at: serviceNow(trx, token.days * dayMs),
    })
    .returning('expires_at')
  if (!stored) throw new Error('storing a token returned no row')
  return stored.expires_at
}

/** Deletes one token. */
export async function deleteToken(db: Db, organizationId: string, tokenHash: Buffer): Promise<void> {
  await db('user_tokens').where({ token_hash: tokenHash, organization_id: organizationId }).delete()
}

/** Deletes the tokens of a person for one organization. */
export async function deleteTokensOfMember(trx: Db, organizationId: string, userId: string): Promise<void> {
  await trx('user_tokens').where({ organization_id: organizationId, user_id: userId }).delete()
}

/** Deletes the tokens of a person for all organizations, except for `kept`. Returns how many there were. */
export async function deleteTokensOfUser(trx: Db, userId: string, kept?: Buffer): Promise<number> {
  const tokens = trx('user_tokens').where({ user_id: userId })
  return kept === undefined ? tokens.delete() : tokens.whereNot({ token_hash: kept }).delete()
}

/** Deletes up to `limit` expired tokens. Returns how many there were. */
export async function deleteExpiredTokens(db: Db, limit: number): Promise<number> {
  const expired = db('user_tokens').select('token_hash').where('expires_at', '<', serviceNow(db)).limit(limit)
  return db('user_tokens').whereIn('token_hash', expired).delete()
}
