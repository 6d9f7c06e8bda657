import { v7 as newId } from 'uuid'
import { type Db, rows } from '../db/db.ts'

/** A person's hidden id and digits, as the network tells that they are the same. */
export interface Pair {
  readonly lid: string
  readonly digits: string
}

/** A contact that has the hidden id or the digits of a pair. */
export interface Half {
  readonly id: string
  readonly phone: string | null
  readonly lid: string | null
}

/** Those pairs that are not one contact yet. */
export async function findNews(db: Db, organizationId: string, pairs: readonly Pair[]): Promise<Pair[]> {
  return rows<Pair>(
    db,
    `select distinct g.lid, g.digits from unnest(:lids::text[], :digits::text[]) as g(lid, digits)
      where not exists (select from contacts c
                         where c.organization_id = :organizationId and c.lid = g.lid and c.phone = g.digits)
      order by g.lid`,
    { organizationId, lids: pairs.map(({ lid }) => lid), digits: pairs.map(({ digits }) => digits) },
  )
}

/** The one or two contacts of a pair, locked against everybody who stores something of them. */
export async function lockHalves(trx: Db, organizationId: string, pair: Pair): Promise<Half[]> {
  return rows<Half>(
    trx,
    `select id, phone, lid from contacts
      where organization_id = :organizationId and (phone = :digits or lid = :lid) order by id for update`,
    { organizationId, ...pair },
  )
}

/**
 * Makes contacts of pairs of which nobody knew either half, in one statement; answers which. What somebody knows by now is
 * left out.
 */
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
 * Writes the hidden ids of pairs of which only the digits are known, in one statement; answers which. A hidden id that
 * another contact has is left out.
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

/** Makes a contact of a pair that nobody knew; answers false when somebody else did meanwhile. */
export async function insertPair(trx: Db, organizationId: string, containerId: string, pair: Pair): Promise<boolean> {
  const made = await rows(
    trx,
    `insert into contacts (id, organization_id, phone, lid, known_to, created_at)
     values (:id, :organizationId, :digits, :lid, array[:containerId::uuid], (select service_now()))
     on conflict do nothing returning id`,
    { id: newId(), organizationId, containerId, ...pair },
  )
  return made.length > 0
}

/** Writes both names of a person into a contact. */
export async function writePair(trx: Db, organizationId: string, id: string, pair: Pair): Promise<void> {
  await rows(
    trx,
    `update contacts set phone = :digits, lid = :lid where organization_id = :organizationId and id = :id`,
    { organizationId, id, ...pair },
  )
}

/** Takes the hidden id from a contact that has other digits. */
export async function dropLid(trx: Db, organizationId: string, id: string): Promise<void> {
  await rows(trx, 'update contacts set lid = null where organization_id = :organizationId and id = :id', {
    organizationId,
    id,
  })
}

/** How many messages a contact has. */
export async function countMessages(db: Db, organizationId: string, id: string): Promise<number> {
  const [counted] = await rows<{ messages: number }>(
    db,
    `select count(*) as messages from chats h
       join chat_messages m on m.container_id = h.container_id and m.contact_id = h.contact_id
      where h.organization_id = :organizationId and h.contact_id = :id`,
    { organizationId, id },
  )
  return counted?.messages ?? 0
}

/** Gives the conversations of one contact to another one; answers how many messages moved. */
export async function moveChats(trx: Db, organizationId: string, from: string, into: string): Promise<number> {
  const moved = await rows(
    trx,
    `with holders as (
       select container_id from chats where organization_id = :organizationId and contact_id = :from
     )
     update chat_messages m set contact_id = :into
       from holders where m.container_id = holders.container_id and m.contact_id = :from
     returning 1 as moved`,
    { organizationId, from, into },
  )
  await rows(
    trx,
    `with gone as (
       delete from chats where organization_id = :organizationId and contact_id = :from
       returning container_id, last_at, unread
     )
     insert into chats as h (container_id, contact_id, organization_id, last_at, unread)
     select container_id, :into, :organizationId, last_at, unread from gone order by container_id
     on conflict (container_id, contact_id)
     do update set last_at = greatest(h.last_at, excluded.last_at), unread = h.unread + excluded.unread`,
    { organizationId, from, into },
  )
  await rows(
    trx,
    `update chat_changes set contact_id = :into where organization_id = :organizationId and contact_id = :from`,
    { organizationId, from, into },
  )
  return moved.length
}

/** Ends one contact and gives all that is known of it to another one. What was decided last about campaigns holds. */
export async function joinContacts(trx: Db, organizationId: string, from: string, into: string): Promise<void> {
  await rows(
    trx,
    `with gone as (delete from contacts where organization_id = :organizationId and id = :from returning *)
     update contacts c
        set saved_name = coalesce(c.saved_name, gone.saved_name),
            network_name = coalesce(c.network_name, gone.network_name),
            saved_in = array(select distinct unnest(c.saved_in || gone.saved_in) order by 1),
            known_to = array(select distinct unnest(c.known_to || gone.known_to) order by 1),
            opted_out = case when coalesce(gone.opted_at > c.opted_at, gone.opted_at is not null)
                             then gone.opted_out else c.opted_out end,
            opted_at = greatest(c.opted_at, gone.opted_at),
            created_at = least(c.created_at, gone.created_at)
       from gone where c.organization_id = :organizationId and c.id = :into`,
    { organizationId, from, into },
  )
}
