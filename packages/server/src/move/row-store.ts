import { type Db, rows } from '../db/db.ts'
import type { TableLine } from './file.ts'
import type { MovedTable } from './plan.ts'

/** Reads the rows of an organization in a table as JSON, up to `batch` at once. Works in a transaction. */
export async function* readRows(
  trx: Db,
  organizationId: string,
  { table, columns, numbered, where }: MovedTable,
  batch: number,
): AsyncGenerator<string[]> {
  // A line break between two tokens of stored JSON would end the line of its row.
  await rows(
    trx,
    `declare moved no scroll cursor for
     select replace(row_to_json(r)::text, chr(10), ' ') as row
       from (select ${columns.join(', ')} from ${table} where ${where} ${numbered === null ? '' : `order by ${numbered}`}) r`,
    { organizationId },
  )
  for (;;) {
    const some = await rows<{ row: string }>(trx, `fetch ${batch} from moved`)
    if (some.length === 0) break
    yield some.map(({ row }) => row)
  }
  await rows(trx, 'close moved')
}

/**
 * Adds rows to a table. People who are here already stay as they are, with their second factor. Returns the people who were
 * added.
 */
export async function insertRows(
  trx: Db,
  { table, columns, ofPeople }: TableLine,
  lines: readonly string[],
  newPeople: readonly string[],
): Promise<string[]> {
  const isPeople = table === 'users'
  const added = await rows<{ id: string }>(
    trx,
    `insert into :table: (${columns.join(', ')})
     select ${columns.join(', ')} from json_populate_recordset(null:::table:, :lines::text::json) r
      ${ofPeople === null ? '' : `where ${ofPeople} = any(:newPeople::uuid[])`}
      ${isPeople ? 'on conflict (id) do nothing returning id' : ''}`,
    { table, lines: `[${lines.join(',')}]`, ...(ofPeople === null ? {} : { newPeople }) },
  )
  return isPeople ? added.map(({ id }) => id) : []
}

/** Deletes the rows of an organization from a table. */
export async function deleteRows(trx: Db, organizationId: string, table: string): Promise<void> {
  await rows(trx, 'delete from :table: where organization_id = :organizationId', { table, organizationId })
}
