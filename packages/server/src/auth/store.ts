import type { Role } from '@msgctl/contract'
import { type Db, rows } from '../db/db.ts'

/** A person who may sign in, with the organization the sign-in is for. */
export interface SignInRow {
  readonly userId: string
  readonly name: string
  readonly email: string
  readonly passwordHash: string
  readonly organizationId: string
  readonly organizationName: string
  readonly role: Role
  readonly deactivated: boolean
}

/** The person with this e-mail and the organization joined first; one that is deactivated only where there is no other. */
export async function findForSignIn(db: Db, email: string): Promise<SignInRow | undefined> {
  const [found] = await rows<SignInRow>(
    db,
    `select u.id as "userId", u.name, u.email, u.password_hash as "passwordHash", o.id as "organizationId",
            o.name as "organizationName", m.role, o.deactivated_at is not null as deactivated
       from users u join members m on m.user_id = u.id join organizations o on o.id = m.organization_id
      where lower(u.email) = lower(:email)
      order by o.deactivated_at is not null, m.created_at, o.id limit 1`,
    { email },
  )
  return found
}

/** Stores a token by its hash; answers when it ends at the latest. */
export async function insertToken(
  trx: Db,
  token: { hash: Buffer; userId: string; organizationId: string; days: number },
): Promise<Date> {
  const [stored] = await rows<{ expiresAt: Date }>(
    trx,
    `insert into user_tokens (token_hash, user_id, organization_id, created_at, last_used_at, expires_at)
     select :hash, :userId, :organizationId, now, now, now + :days::int * interval '1 day'
       from (select service_now() as now) t
     returning expires_at as "expiresAt"`,
    token,
  )
  if (!stored) throw new Error('storing a token answered no row')
  return stored.expiresAt
}

/** Ends one token. */
export async function deleteToken(db: Db, organizationId: string, tokenHash: Buffer): Promise<void> {
  await rows(db, 'delete from user_tokens where token_hash = :tokenHash and organization_id = :organizationId', {
    tokenHash,
    organizationId,
  })
}

/** Deletes up to `limit` tokens and attempt windows that are over; a periodic job calls it until it answers 0. */
export async function deleteExpiredSignIns(db: Db, limit = 5000): Promise<number> {
  const gone = await rows(
    db,
    `with tokens as (
       delete from user_tokens where token_hash = any(array(
         select token_hash from user_tokens where expires_at < (select service_now()) limit :limit)) returning 1
     ), windows as (
       delete from attempt_windows where bucket = any(array(
         select bucket from attempt_windows where ends_at < (select service_now()) limit :limit)) returning 1
     )
     select 1 as gone from tokens union all select 1 from windows`,
    { limit },
  )
  return gone.length
}
