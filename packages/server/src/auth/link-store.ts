import { type Db, rows } from '../db/db.ts'

/** What a link of a person allows: those of mails, and a code that opens the console. */
export type LinkKind = 'reset' | 'verify' | 'welcome'

/** Stores the hash of a link's token, and returns its expiry. An earlier link for the same purpose stops working. */
export async function putLink(
  trx: Db,
  link: {
    readonly userId: string
    readonly kind: LinkKind
    readonly tokenHash: Buffer
    readonly minutes: number
    /** The organization that a code of the console signs in to. */
    readonly organizationId?: string
  },
): Promise<Date> {
  const [stored] = await rows<{ expiresAt: Date }>(
    trx,
    `insert into account_links (user_id, kind, organization_id, token_hash, expires_at)
     values (:userId, :kind, :organizationId, :tokenHash, service_now() + :minutes::int * interval '1 minute')
     on conflict (user_id, kind) do update
       set organization_id = excluded.organization_id, token_hash = excluded.token_hash, expires_at = excluded.expires_at
     returning expires_at as "expiresAt"`,
    { organizationId: null, ...link },
  )
  if (!stored) throw new Error('storing a link returned no row')
  return stored.expiresAt
}

/** A link that was used up. */
interface TakenLink {
  readonly userId: string
  readonly organizationId: string | null
}

/** Uses a link up and returns its person; undefined when it is unknown, expired or used. */
export async function takeLink(trx: Db, kind: LinkKind, tokenHash: Buffer): Promise<TakenLink | undefined> {
  const [taken] = await rows<TakenLink & { valid: boolean }>(
    trx,
    `delete from account_links where token_hash = :tokenHash and kind = :kind
     returning user_id as "userId", organization_id as "organizationId", expires_at > (select service_now()) as valid`,
    { kind, tokenHash },
  )
  return taken?.valid ? taken : undefined
}

/** Deletes the links of a person for these purposes. */
export async function deleteLinks(trx: Db, userId: string, ...kinds: readonly LinkKind[]): Promise<void> {
  await trx('account_links').where({ user_id: userId }).whereIn('kind', kinds).delete()
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

/** SQL condition: whether there are requests. */
export const hasResetRequests = 'exists (select from reset_requests)'

/** Returns the ids of up to `limit` requests, the oldest first. */
export async function listResetRequests(db: Db, limit: number): Promise<number[]> {
  const found = await rows<{ id: number }>(db, 'select id from reset_requests order by id limit :limit', { limit })
  return found.map(({ id }) => id)
}

/** Deletes and returns a request, unless another process has it. */
export async function takeResetRequest(trx: Db, id: number): Promise<ResetRequest | undefined> {
  const [taken] = await rows<ResetRequest>(
    trx,
    `delete from reset_requests where id in (
       select id from reset_requests where id = :id for update skip locked) returning email, ip`,
    { id },
  )
  return taken
}

/** Deletes the requests for an address. */
export async function deleteResetRequests(trx: Db, email: string): Promise<void> {
  await rows(trx, 'delete from reset_requests where lower(email) = lower(:email)', { email })
}

/** Deletes the links of all people, and the requests for more. */
export async function deleteAllLinks(trx: Db): Promise<void> {
  await trx('account_links').delete()
  await trx('reset_requests').delete()
}
