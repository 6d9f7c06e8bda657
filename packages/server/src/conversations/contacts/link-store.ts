import { type Db, rows, serviceNow } from '#platform/db/db.ts'
import { newId } from '#platform/db/new-id.ts'

/** A hidden id and a phone number that the network reports as one person's. */
export interface Pair {
  readonly lid: string
  readonly digits: string
}

/** A contact with the hidden id or the digits of a pair. */
export interface Half {
  readonly id: string
  readonly phone: string | null
  readonly lid: string | null
}

/** Returns the pairs that are not one contact yet. */
export async function findUnlinked(db: Db, organizationId: string, pairs: readonly Pair[]): Promise<Pair[]> {
  return rows<Pair>(
    db,
    `select distinct g.lid, g.digits from unnest(:lids::text[], :digits::text[]) as g(lid, digits)
      where not exists (select from contacts c
                         where c.organization_id = :organizationId and c.lid = g.lid and c.phone = g.digits)
      order by g.lid`,
    { organizationId, lids: pairs.map(({ lid }) => lid), digits: pairs.map(({ digits }) => digits) },
  )
}

/** Locks and returns the one or two contacts of a pair. Transactions that store something of them wait. */
export async function lockHalves(trx: Db, organizationId: string, pair: Pair): Promise<Half[]> {
  return trx('contacts')
    .select('id', 'phone', 'lid')
    .where({ organizationId })
    .where((either) => either.where({ phone: pair.digits }).orWhere({ lid: pair.lid }))
    .orderBy('id')
    .forUpdate()
}

/** Creates contacts for pairs of which neither half is known, in one statement. Returns these pairs. */
export async function insertPairs(
  db: Db,
  organizationId: string,
  containerId: string,
  pairs: readonly Pair[],
): Promise<Pair[]> {
  return rows<Pair>(
    db,
    `insert into contacts (id, organization_id, phone, lid, known_to, created_at)
     select g.id, :organizationId, g.digits, g.lid, array[:containerId::uuid], (select service_now())
       from unnest(:ids::uuid[], :lids::text[], :digits::text[]) as g(id, lid, digits)
      where not exists (select from contacts c where c.organization_id = :organizationId and c.phone = g.digits)
        and not exists (select from contacts c where c.organization_id = :organizationId and c.lid = g.lid)
      order by g.digits
     on conflict do nothing
     returning lid, phone as digits`,
    {
      organizationId,
      containerId,
      ids: pairs.map(() => newId()),
      lids: pairs.map(({ lid }) => lid),
      digits: pairs.map(({ digits }) => digits),
    },
  )
}

/**
 * Adds the hidden ids of pairs of which only the digits are known, in one statement. Returns these pairs. A hidden id
 * that another contact has is skipped.
 */
export async function writeLids(trx: Db, organizationId: string, pairs: readonly Pair[]): Promise<Pair[]> {
  return rows<Pair>(
    trx,
    `with known as (
       select c.id, g.lid from unnest(:lids::text[], :digits::text[]) as g(lid, digits)
         join contacts c on c.organization_id = :organizationId and c.phone = g.digits
        where c.lid is null
          and not exists (select from contacts o where o.organization_id = :organizationId and o.lid = g.lid)
        order by c.id for update of c
     )
     update contacts c set lid = known.lid from known where c.id = known.id returning c.lid, c.phone as digits`,
    { organizationId, lids: pairs.map(({ lid }) => lid), digits: pairs.map(({ digits }) => digits) },
  )
}

/** Creates a contact for an unknown pair. Returns false if another transaction has created one since. */
export async function insertPair(trx: Db, organizationId: string, containerId: string, pair: Pair): Promise<boolean> {
  const inserted = await trx('contacts')
    .insert({
      id: newId(),
      organizationId,
      phone: pair.digits,
      lid: pair.lid,
      knownTo: [containerId],
      createdAt: serviceNow(trx),
    })
    .onConflict()
    .ignore()
    .returning('id')
  return inserted.length > 0
}

/** Writes the digits and the hidden id into a contact. */
export async function writePair(trx: Db, organizationId: string, id: string, pair: Pair): Promise<void> {
  await trx('contacts').where({ organizationId, id }).update({ phone: pair.digits, lid: pair.lid })
}

/** Removes the hidden id from a contact. */
export async function dropLid(trx: Db, organizationId: string, id: string): Promise<void> {
  await trx('contacts').where({ organizationId, id }).update({ lid: null })
}

/** Merges one contact into another one and deletes it. The latest decision about campaigns wins. */
export async function joinContacts(trx: Db, organizationId: string, from: string, into: string): Promise<void> {
  await rows(
    trx,
    `with merged as (delete from contacts where organization_id = :organizationId and id = :from returning *)
     update contacts c
        set saved_name = coalesce(c.saved_name, merged.saved_name),
            network_name = coalesce(c.network_name, merged.network_name),
            saved_in = array(select distinct unnest(c.saved_in || merged.saved_in) order by 1),
            known_to = array(select distinct unnest(c.known_to || merged.known_to) order by 1),
            opted_out = case when coalesce(merged.opted_at > c.opted_at, merged.opted_at is not null)
                             then merged.opted_out else c.opted_out end,
            opted_at = greatest(c.opted_at, merged.opted_at),
            created_at = least(c.created_at, merged.created_at)
       from merged where c.organization_id = :organizationId and c.id = :into`,
    { organizationId, from, into },
  )
}
