import { type Db, firstRow, rows } from '#platform/db/db.ts'
import type { MovedTable } from './plan.ts'

/** What is read of a table. `exported` has SQL expressions in place of columns, or under names of their own. */
export type ReadTable = Pick<MovedTable, 'table' | 'columns' | 'exported' | 'numbered' | 'where'>

/** Reads the rows of an organization in a table as JSON, up to `batch` at once. Works in a transaction. */
export async function* readRows(
  trx: Db,
  organizationId: string,
  { table, columns, exported, numbered, where }: ReadTable,
  batch: number,
): AsyncGenerator<string[]> {
  const selected = columns.map((column) => (exported[column] ? `${exported[column]} as ${column}` : column))
  // A line break between two tokens of stored JSON would end the line of its row.
  await rows(
    trx,
    `declare moved no scroll cursor for
     select replace(row_to_json(r)::text, chr(10), ' ') as row
       from (select ${selected.join(', ')} from ${table}
           where ${where} ${numbered === null ? '' : `order by ${numbered}`}) r`,
    { organizationId },
  )
  for (;;) {
    const some = await rows<{ row: string }>(trx, `fetch ${batch} from moved`)
    if (some.length === 0) break
    yield some.map(({ row }) => row)
  }
  await rows(trx, 'close moved')
}

/** What rows of an organization may refer to. */
export interface Loading {
  readonly organizationId: string
  /** The people of the file. */
  readonly people: readonly string[]
  /** Those of them who were not in this database before. */
  readonly newPeople: readonly string[]
  /** The tables whose rows are known by a UUID: no row may name one of another organization. */
  readonly known: readonly string[]
}

/** What became of some rows of a file. */
export interface Loaded {
  /** How many there were, and how many of them belong to the organization and its people. */
  readonly given: number
  readonly own: number
  /** A UUID in them by which a row of another organization is known; null without one. */
  readonly foreign: string | null
  /** With people: all of them, and those who were added. */
  readonly people: readonly string[] | null
  readonly newPeople: readonly string[] | null
}

/**
 * Adds rows to a table. People who are here already stay as they are, and nothing that lets them in is added. The
 * caller ends the transaction when a row is not the organization's own.
 */
export async function insertRows(
  trx: Db,
  loading: Loading,
  { table, columns, isOwn, people, letsIn, uuids, uuidLists }: MovedTable,
  lines: readonly string[],
): Promise<Loaded> {
  const isPeople = table === 'users'
  const ofKnownPeople = people.map((column) => `(r.${column} is null or r.${column} = any(:people::uuid[]))`)
  const named = [
    `array[${uuids.map((column) => `r.${column}`).join(', ')}]::uuid[]`,
    ...uuidLists.map((column) => `coalesce(r.${column}, '{}')`),
  ]
  const isForeign = loading.known.map(
    (known) => `exists (select from ${known} t where t.id = u.id and t.organization_id <> :organizationId)`,
  )
  const loaded = await firstRow<Loaded>(
    trx,
    `with r as materialized (select * from json_populate_recordset(null:::table:, :lines::text::json)),
     added as (
       insert into :table: (${columns.join(', ')})
       select ${columns.join(', ')} from r
        ${letsIn === null ? '' : `where r.${letsIn} = any(:newPeople::uuid[])`}
        ${isPeople ? 'on conflict (id) do nothing' : ''}
       returning ${isPeople ? 'id' : 'null::uuid as id'}
     )
     select (select count(*) from r) as given,
            (select count(*) from r where ${[`(${isOwn})`, ...ofKnownPeople].join(' and ')}) as own,
            (select u.id from (select distinct unnest(${named.join(' || ')}) as id from r) u
              where exists (select from organizations o where o.id = u.id and o.id <> :organizationId)
                 or ${isForeign.join(' or ')} limit 1) as foreign,
            ${isPeople ? '(select array_agg(id) from r)' : 'null::uuid[]'} as people,
            ${isPeople ? '(select array_agg(id) from added)' : 'null::uuid[]'} as new_people`,
    {
      table,
      lines: `[${lines.join(',')}]`,
      organizationId: loading.organizationId,
      people: loading.people,
      newPeople: loading.newPeople,
    },
  )
  if (!loaded) throw new Error('a statement of counts returned no row')
  return loaded
}

/**
 * Returns how many of the people of a file no row of the organization names, and how many of those who were added are
 * no members and have a password.
 */
export async function countStrangers(
  trx: Db,
  { organizationId, people, newPeople }: Loading,
  { where }: MovedTable,
): Promise<number> {
  const [found] = await rows<{ strangers: number }>(
    trx,
    `select count(*) as strangers from users
      where id = any(:people::uuid[])
        and (not (${where})
             or id = any(:newPeople::uuid[]) and password_hash is not null
                and id not in (select user_id from members where organization_id = :organizationId))`,
    { organizationId, people, newPeople },
  )
  return found?.strangers ?? 0
}

/** Deletes the rows of an organization from a table. */
export async function deleteRows(trx: Db, organizationId: string, table: string): Promise<void> {
  await rows(trx, 'delete from :table: where organization_id = :organizationId', { table, organizationId })
}
