import { type Db, rows } from '#platform/db/db.ts'

/** A table that may hold rows of an organization, as the catalogue of Postgres describes it. */
export interface Movable {
  readonly table: string
  /** Its columns without generated ones, and without a number that the database gives. */
  readonly columns: string[]
  /** The column that the database numbers; null where there is none. Rows keep its order and get new numbers. */
  readonly numbered: string | null
  /** Whether rows that are added to it change other tables. */
  readonly hasTriggers: boolean
  readonly hasOrganization: boolean
  /** Whether its rows are known by a UUID in the column `id`. */
  readonly hasId: boolean
  /** Its columns that refer to people. */
  readonly people: string[]
  /** Its columns of one UUID, and those of a list of them. */
  readonly uuids: string[]
  readonly uuidLists: string[]
}

/** Returns all tables but those that a crash of the database empties: they hold leases only. */
export async function readMovable(db: Db): Promise<Movable[]> {
  return rows<Movable>(
    db,
    `select c.relname as table,
            array_agg(quote_ident(a.attname) order by a.attnum) filter (where a.attidentity = ''
                and a.attgenerated = '') as columns,
            min(a.attname::text) filter (where a.attidentity <> '') as numbered,
            bool_or(a.attname = 'organization_id') as has_organization,
            exists (select from pg_index i join pg_attribute k on k.attrelid = c.oid and k.attnum = i.indkey[0]
                     where i.indrelid = c.oid and i.indisprimary and i.indnatts = 1
                       and k.attname = 'id' and k.atttypid = 'uuid'::regtype) as has_id,
            exists (select from pg_trigger t where t.tgrelid = c.oid and not t.tgisinternal) as has_triggers,
            coalesce(array_agg(a.attname::text order by a.attnum) filter (where p.oid is not null), '{}') as people,
            coalesce(array_agg(quote_ident(a.attname)) filter (where a.atttypid = 'uuid'::regtype), '{}') as uuids,
            coalesce(array_agg(quote_ident(a.attname)) filter (where a.atttypid = 'uuid[]'::regtype),
                '{}') as uuid_lists
       from pg_class c
       join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
       left join pg_constraint p on p.conrelid = c.oid and p.contype = 'f' and p.confrelid = 'users'::regclass
                                and p.conkey = array[a.attnum]
      where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and c.relpersistence = 'p'
      group by c.oid, c.relname order by c.relname`,
  )
}

/** Returns whether the statements of this transaction have added rows to a table. */
export async function hasAdded(trx: Db, table: string): Promise<boolean> {
  const [found] = await rows<{ added: number }>(
    trx,
    `select pg_stat_get_xact_tuples_inserted(:table::text::regclass) as added`,
    { table },
  )
  return (found?.added ?? 0) > 0
}
