import { type Db, rows } from '../db/db.ts'

/** An entry in the address book of a number. */
export interface SavedName {
  readonly contactId: string
  /** The saved name; null if the contact is not in the address book. */
  readonly savedName: string | null
}

/** Writes entries of the address book of a number. Unchanged rows are not written. */
export async function writeAddressBook(
  trx: Db,
  number: { readonly organizationId: string; readonly containerId: string },
  entries: readonly SavedName[],
): Promise<void> {
  await rows(
    trx,
    `with entry as (
       select distinct on (id) id, name from unnest(:ids::uuid[], :names::text[]) as e(id, name) order by id, name
     ), locked as (
       select c.id, entry.name from contacts c join entry on entry.id = c.id
        where c.organization_id = :organizationId
          and ((entry.name is not null) <> (:containerId::uuid = any(c.saved_in))
               or (entry.name is not null and entry.name is distinct from c.saved_name))
        order by c.id for no key update of c
     ), changed as (
       select locked.id, locked.name,
              array(select distinct unnest(array_remove(c.saved_in, :containerId)
                    || case when locked.name is null then '{}'::uuid[] else array[:containerId::uuid] end) order by 1) as saved_in
         from locked join contacts c on c.id = locked.id
     )
     update contacts c
        set saved_in = changed.saved_in,
            saved_name = case when changed.saved_in = '{}' then null else coalesce(changed.name, c.saved_name) end
       from changed where c.id = changed.id`,
    {
      ...number,
      ids: entries.map(({ contactId }) => contactId),
      names: entries.map(({ savedName }) => savedName),
    },
  )
}

/** Returns the contacts that the address book of a number contained at the last read. */
export async function listSavedIn(db: Db, organizationId: string, containerId: string): Promise<{ id: string }[]> {
  return rows<{ id: string }>(
    db,
    `select id from contacts where organization_id = :organizationId and saved_in @> array[:containerId::uuid] order by id`,
    { organizationId, containerId },
  )
}
