import { type Db, rows } from '#platform/db/db.ts'
import { camelName } from '#platform/db/names.ts'

interface ColumnRow {
  readonly table: string
  readonly column: string
  readonly type: string
  readonly nullable: boolean
  /** False when an insert may leave the column out. */
  readonly required: boolean
}

/** The TypeScript type of a value as it arrives through the pools of db.ts. */
const typeNames: Readonly<Record<string, string>> = {
  uuid: 'string',
  text: 'string',
  date: 'string',
  numeric: 'string',
  interval: 'string',
  integer: 'number',
  bigint: 'number',
  smallint: 'number',
  'double precision': 'number',
  boolean: 'boolean',
  'timestamp with time zone': 'Date',
  json: 'unknown',
  jsonb: 'unknown',
  bytea: 'Buffer',
}

/** Tables of libraries, which no statement of ours builds with the query builder. */
const foreignTables = ['schema_migrations', 'schema_migrations_lock', 'agenda_jobs']

/**
 * Returns the module that declares the columns of each table for knex's query builder, made from the catalogs of a
 * migrated database. Throws on a column type that it does not know.
 */
export async function tableTypes(db: Db): Promise<string> {
  const columns = await columnsOf(db)
  const tables = [...new Set(columns.map(({ table }) => table))]
  const entries = tables.map((table) => {
    const own = columns.filter((column) => column.table === table)
    const base = own.map((column) => `      ${camelName(column.column)}: ${typeOf(column)}\n`).join('')
    const optional = own.filter(({ required }) => !required).map(({ column }) => `'${camelName(column)}'`)
    return (
      `    ${table}: Table<\n      {\n${base.replaceAll(/^ {6}/gm, '        ')}      },\n` +
      `      ${optional.join(' | ') || 'never'}\n    >\n`
    )
  })
  return `${head}${entries.join('')}${tail}`
}

async function columnsOf(db: Db): Promise<ColumnRow[]> {
  return rows<ColumnRow>(
    db,
    `select c.relname as "table", a.attname as "column", format_type(a.atttypid, null) as type,
            not a.attnotnull as nullable, a.attnotnull and not a.atthasdef and a.attidentity = '' as required
       from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> all(:foreignTables::text[])
      order by c.relname, a.attnum`,
    { foreignTables },
  )
}

function typeOf({ table, column, type, nullable }: ColumnRow): string {
  const isArray = type.endsWith('[]')
  const item = typeNames[isArray ? type.slice(0, -2) : type]
  if (item === undefined) throw new Error(`${table}.${column} has the unknown type ${type}`)
  const name = isArray ? `${item}[]` : item
  return nullable && name !== 'unknown' ? `${name} | null` : name
}

const head = `// Generated from a migrated database by: npm run generate
import type { Knex } from 'knex'

/** A row of a table, as it arrives through the pools of db.ts. */
export type Row<Name extends Knex.TableNames> = Readonly<Knex.ResolveTableType<Knex.TableType<Name>>>

/** What an outer join yields for \`Joined\`: its columns, or nulls where there is no row. */
export type OuterJoined<Joined> = Joined | { readonly [Column in keyof Joined]: null }

/** A table with the columns of \`Row\`. An insert may leave out the columns \`Optional\`; written values may be SQL. */
type Table<Row, Optional extends keyof Row> = Knex.CompositeTableType<
  Row,
  Written<Omit<Row, Optional>> & Partial<Written<Pick<Row, Optional>>>,
  Partial<Written<Row>>
>

type Written<Row> = { [Column in keyof Row]: Row[Column] | Knex.Raw }

declare module 'knex/types/tables.js' {
  interface Tables {
`

const tail = `  }
}
`
