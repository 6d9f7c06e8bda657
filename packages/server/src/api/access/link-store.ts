import { type Db, rows } from '#platform/db/db.ts'
import type { EndedAccess } from './end-access.ts'

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
       set organization_id = excluded.organization_id, token_hash = excluded.token_hash,
           expires_at = excluded.expires_at
     returning expires_at`,
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
     returning user_id, organization_id, expires_at > (select service_now()) as valid`,
    { kind, tokenHash },
  )
  return taken?.valid ? taken : undefined
}

/** Deletes the links that let a person in: for a new password, and to the console. Returns how many there were. */
export async function deleteLinksInto(trx: Db, { userId, organizationId }: EndedAccess): Promise<number> {
  const links = trx('account_links').whereIn('kind', ['reset', 'welcome'] satisfies LinkKind[])
  if (userId !== null) links.where({ userId })
  if (organizationId !== null) links.where({ organizationId })
  return links.delete()
}

/** Deletes the link that confirms the address of a person. */
export async function deleteVerification(trx: Db, userId: string): Promise<void> {
  await trx('account_links')
    .where({ userId, kind: 'verify' satisfies LinkKind })
    .delete()
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

/** Deletes the links of all people. */
export async function deleteAllLinks(trx: Db): Promise<void> {
  await trx('account_links').delete()
}
