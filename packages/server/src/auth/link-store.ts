import { type Db, rows } from '../db/db.ts'

/** What a link in a mail to a person allows. */
export type LinkKind = 'reset' | 'verify'

/** Stores the hash of a link's token. An earlier link of the person for the same purpose stops working. */
export async function putLink(
  trx: Db,
  link: { readonly userId: string; readonly kind: LinkKind; readonly tokenHash: Buffer; readonly minutes: number },
): Promise<void> {
  await rows(
    trx,
    `insert into account_links (user_id, kind, token_hash, expires_at)
     values (:userId, :kind, :tokenHash, service_now() + :minutes::int * interval '1 minute')
     on conflict (user_id, kind) do update set token_hash = excluded.token_hash, expires_at = excluded.expires_at`,
    { ...link },
  )
}

/** Uses a link up and returns its person; undefined when it is unknown, expired or used. */
export async function takeLink(trx: Db, kind: LinkKind, tokenHash: Buffer): Promise<{ userId: string } | undefined> {
  const [taken] = await rows<{ userId: string; valid: boolean }>(
    trx,
    `delete from account_links where token_hash = :tokenHash and kind = :kind
     returning user_id as "userId", expires_at > (select service_now()) as valid`,
    { kind, tokenHash },
  )
  return taken?.valid ? { userId: taken.userId } : undefined
}

/** Deletes the links of a person. */
export async function deleteLinks(trx: Db, userId: string, kind: LinkKind): Promise<void> {
  await trx('account_links').where({ user_id: userId, kind }).delete()
}

/** Deletes up to `limit` expired links. Returns how many there were. */
export async function deleteExpiredLinks(db: Db, limit: number): Promise<number> {
  const deleted = await rows(
    db,
    `delete from account_links where token_hash in (
       select token_hash from account_links where expires_at < (select service_now()) limit :limit)
     returning kind`,
    { limit },
  )
  return deleted.length
}

/** A request for a link that sets a new password, by anyone. */
export interface ResetRequest {
  readonly email: string
  readonly ip: string
}

/** Stores a request. The address is looked up later, so that the response takes the same time for each. */
export async function insertResetRequest(db: Db, { email, ip }: ResetRequest): Promise<void> {
  await rows(db, 'insert into reset_requests (email, ip, created_at) values (:email, :ip, service_now())', {
    email,
    ip,
  })
}

/** Deletes and returns up to `limit` requests, the oldest first. */
export async function takeResetRequests(trx: Db, limit: number): Promise<ResetRequest[]> {
  return rows<ResetRequest>(
    trx,
    `delete from reset_requests where id in (
       select id from reset_requests order by id limit :limit for update skip locked) returning email, ip`,
    { limit },
  )
}
