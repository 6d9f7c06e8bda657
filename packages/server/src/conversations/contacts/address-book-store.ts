import { type Db, rows } from '#platform/db/db.ts'

/** An entry in the address book of a number. */
export interface SavedName {
  readonly contactId: string
  readonly containerId: string
  /** The saved name; null if the contact is not in the address book. */
  readonly savedName: string | null
}

/**
 * Writes entries of address books of an organization's numbers. Unchanged rows are not written. When several numbers
 * save a person, the last entry decides the name.
 */
export async function writeAddressBooks(trx: Db, organizationId: string, entries: readonly SavedName[]): Promise<void> {
  await rows(
    trx,
    `with entry as (
       select distinct on (id, container_id) id, container_id, name, nth
         from unnest(:ids::uuid[], :containers::uuid[], :names::text[]) with ordinality as e(id, container_id, name,
             nth)
        order by id, container_id, name
     ), wanted as materialized (
       select id, coalesce(array_agg(container_id) filter (where name is not null), '{}') as savers,
              coalesce(array_agg(container_id) filter (where name is null), '{}') as others,
              (array_agg(name order by nth desc) filter (where name is not null))[1] as name
         from entry group by id
     ), locked as (
       select c.id, wanted.name, wanted.savers, wanted.others from contacts c join wanted on wanted.id = c.id
        where c.organization_id = :organizationId
          and (not wanted.savers <@ c.saved_in or wanted.others && c.saved_in
               or (wanted.name is not null and wanted.name is distinct from c.saved_name))
        order by c.id for no key update of c
     ), changed as (
       select locked.id, locked.name,
              array(select unnest(c.saved_in || locked.savers) except select unnest(locked.others)
                  order by 1) as saved_in
         from locked join contacts c on c.id = locked.id
     )
     update contacts c
        set saved_in = changed.saved_in,
            saved_name = case when changed.saved_in = '{}' then null else coalesce(changed.name, c.saved_name) end
       from changed where c.id = changed.id`,
    {
      organizationId,
      ids: entries.map(({ contactId }) => contactId),
      containers: entries.map(({ containerId }) => containerId),
      names: entries.map(({ savedName }) => savedName),
    },
  )
}

/** Returns the contacts that the address book of a number contained at the last read. */
export async function listSavedIn(db: Db, organizationId: string, containerId: string): Promise<{ id: string }[]> {
  return rows<{ id: string }>(
    db,
    `select id from contacts where organization_id = :organizationId and saved_in @> array[:containerId::uuid]
      order by id`,
    { organizationId, containerId },
  )
}
