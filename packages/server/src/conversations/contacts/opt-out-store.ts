import { type Db, rows } from '#platform/db/db.ts'
import { newId } from '#platform/db/new-id.ts'
import { type ContactRow, type ContactScope, contactColumns, inScope } from './store.ts'

/** A contact who refuses campaigns. */
export type OptedOutRow = ContactRow & { readonly optedAt: Date | null }

/** Returns a page of the contacts who refuse campaigns, the latest decision first. */
export async function listOptedOut(
  db: Db,
  scope: ContactScope,
  page: { readonly limit: number; readonly offset: number },
): Promise<OptedOutRow[]> {
  return rows<OptedOutRow>(
    db,
    `select ${contactColumns}, c.opted_at from contacts c where ${inScope} and c.opted_out
      order by c.opted_at desc, c.id limit :limit offset :offset`,
    { ...scope, ...page },
  )
}

/** Counts the contacts who refuse campaigns. */
export async function countOptedOut(db: Db, scope: ContactScope): Promise<number> {
  const [counted] = await rows<{ count: number }>(
    db,
    `select count(*) as count from contacts c where ${inScope} and c.opted_out`,
    { ...scope },
  )
  return counted?.count ?? 0
}

/** Counts the contacts that no number of an organization knows. */
export async function countUnknown(trx: Db, organizationId: string): Promise<number> {
  const [counted] = await rows<{ count: number }>(
    trx,
    `select count(*) as count from contacts where organization_id = :organizationId and known_to = '{}'`,
    { organizationId },
  )
  return counted?.count ?? 0
}

/** Counts the phones that are no contacts of an organization. */
export async function countMissing(trx: Db, organizationId: string, phones: readonly string[]): Promise<number> {
  const [counted] = await rows<{ count: number }>(
    trx,
    `select count(*) as count from unnest(:phones::text[]) g(phone)
      where not exists (select from contacts c where c.organization_id = :organizationId and c.phone = g.phone)`,
    { organizationId, phones },
  )
  return counted?.count ?? 0
}

/**
 * Opts people out who have not opted out before. Those who are no contacts become contacts that no number knows yet.
 * Returns how many were opted out now.
 */
export async function optOutPhones(trx: Db, organizationId: string, phones: readonly string[]): Promise<number> {
  await rows(
    trx,
    `insert into contacts (id, organization_id, phone, created_at)
     select g.id, :organizationId, g.phone, (select service_now())
       from unnest(:ids::uuid[], :phones::text[]) as g(id, phone) order by g.phone
     on conflict do nothing`,
    { organizationId, phones, ids: phones.map(() => newId()) },
  )
  const changed = await rows(
    trx,
    `with chosen as (
       select c.id from contacts c
        where c.organization_id = :organizationId and c.phone = any(:phones::text[]) and not c.opted_out
        order by c.id for no key update
     )
     update contacts c set opted_out = true, opted_at = (select service_now())
       from chosen where c.id = chosen.id returning c.id`,
    { organizationId, phones },
  )
  return changed.length
}
