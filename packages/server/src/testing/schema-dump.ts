import { type Db, rows } from '#platform/db/db.ts'

/** The classes (tables, indexes, sequences, ...) of the schema, without those of extensions. */
const ownClasses = `
  select c.* from pg_class c
   where c.relnamespace = 'public'::regnamespace
     and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid
         and d.deptype = 'e')`

/** The tables of the migration runner: knex defines them, not we. */
const runnerTables = `('schema_migrations', 'schema_migrations_lock')`

interface TableLine {
  readonly name: string
  readonly text: string
}

/**
 * Returns the whole schema of a database as readable SQL, always in the same order. It is made from the catalogs,
 * because pg_dump is not part of the embedded Postgres. It is to be read and compared, not to be run.
 */
export async function dumpSchema(db: Db): Promise<string> {
  await refuseUnknownKinds(db)
  const [tables, columns, constraints, after, views, others] = await Promise.all([
    tablesOf(db),
    columnsOf(db),
    constraintsOf(db),
    statementsOfTables(db),
    viewsOf(db),
    otherStatements(db),
  ])
  const created = tables.map(({ name, persistence, options }) => {
    const lines = [...columns, ...constraints].filter((line) => line.name === name).map(({ text }) => `  ${text}`)
    const end = options === null ? ')' : `) with (${options})`
    const statements = after.filter((line) => line.name === name).map(({ text }) => `${text};`)
    return [`create ${persistence}table ${name} (\n${lines.join(',\n')}\n${end};`, ...statements].join('\n')
  })
  const text = [...others.extensions, ...created, ...views, ...others.functions].join('\n\n')
  return `${text.replaceAll(/\bpublic\./g, '')}\n`
}

/** Kinds of objects that the schema has none of, and that the dump would leave out. */
async function refuseUnknownKinds(db: Db): Promise<void> {
  const found = await rows<{ what: string }>(
    db,
    `select 'class ' || relname as what from (${ownClasses}) c where relkind not in ('r', 'v', 'i', 'S', 't')
     union all
     select 'type ' || typname from pg_type t
      where t.typnamespace = 'public'::regnamespace and typtype in ('d', 'e', 'r', 'm')
        and not exists (select from pg_depend d where d.objid = t.oid and d.deptype = 'e')
     union all select 'policy ' || polname from pg_policy
     union all select 'rule ' || rulename from pg_rules where schemaname = 'public'
     union all
     select 'sequence ' || relname from (${ownClasses}) c
      where relkind = 'S' and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'i')
        and relname not like 'schema_migrations%'`,
  )
  if (found.length > 0) throw new Error(`the dump does not know: ${found.map(({ what }) => what).join(', ')}`)
}

async function tablesOf(db: Db) {
  return rows<{ name: string; persistence: string; options: string | null }>(
    db,
    `select relname as name, case relpersistence when 'u' then 'unlogged ' else '' end as persistence,
            array_to_string(reloptions, ', ') as options
       from (${ownClasses}) c where relkind = 'r' and relname not in ${runnerTables} order by relname`,
  )
}

async function columnsOf(db: Db): Promise<TableLine[]> {
  return rows(
    db,
    `select c.relname as name,
            concat_ws(' ', a.attname, format_type(a.atttypid, a.atttypmod),
              case when a.attcollation <> t.typcollation then 'collate ' || a.attcollation::regcollation end,
              case when a.attstorage <> t.typstorage
                   then 'storage ' || case a.attstorage when 'p' then 'plain' when 'e' then 'external'
                     when 'm' then 'main'
                                                        else 'extended' end end,
              case when a.attidentity <> ''
                   then 'generated ' || case a.attidentity when 'a' then 'always'
                     else 'by default' end || ' as identity' end,
              case when a.attgenerated <> '' then 'generated always as (' || pg_get_expr(d.adbin,
                  d.adrelid) || ') stored'
                   else 'default ' || pg_get_expr(d.adbin, d.adrelid) end,
              case when a.attnotnull then 'not null' end) as text
       from (${ownClasses}) c
       join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
       join pg_type t on t.oid = a.atttypid
       left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where c.relkind = 'r' order by c.relname, a.attnum`,
  )
}

async function constraintsOf(db: Db): Promise<TableLine[]> {
  return rows(
    db,
    `select c.relname as name, 'constraint ' || k.conname || ' ' || pg_get_constraintdef(k.oid) as text
       from (${ownClasses}) c join pg_constraint k on k.conrelid = c.oid
      -- The columns say already what is not null.
      where k.contype <> 'n' order by c.relname, position(k.contype in 'pucfx'), k.conname`,
  )
}

async function statementsOfTables(db: Db): Promise<TableLine[]> {
  return rows(
    db,
    `select c.relname as name, s.text
       from (${ownClasses}) c
       cross join lateral (
         select 1 as rank, pg_get_indexdef(i.indexrelid) as text from pg_index i
          where i.indrelid = c.oid and not exists (select from pg_constraint k where k.conindid = i.indexrelid)
         union all
         select 2, pg_get_triggerdef(t.oid) from pg_trigger t where t.tgrelid = c.oid and not t.tgisinternal
         union all
         select 3, 'comment on ' || case when d.objsubid = 0 then 'table ' || c.relname
                                         else 'column ' || c.relname || '.' || a.attname end
                   || ' is ' || quote_literal(d.description)
           from pg_description d
           left join pg_attribute a on a.attrelid = c.oid and a.attnum = d.objsubid
          where d.classoid = 'pg_class'::regclass and d.objoid = c.oid) s
      where c.relkind = 'r' order by c.relname, s.rank, s.text collate "C"`,
  )
}

async function viewsOf(db: Db): Promise<string[]> {
  const views = await rows<{ text: string }>(
    db,
    `select 'create view ' || c.relname || E' as\\n' || pg_get_viewdef(c.oid, true) || coalesce((
              select string_agg(E'\\ncomment on ' || case when d.objsubid = 0 then 'view ' || c.relname
                                                        else 'column ' || c.relname || '.' || a.attname end
                                || ' is ' || quote_literal(d.description) || ';', '' order by d.objsubid)
                from pg_description d
                left join pg_attribute a on a.attrelid = c.oid and a.attnum = d.objsubid
               where d.classoid = 'pg_class'::regclass and d.objoid = c.oid and (d.objsubid = 0 or a.attnum > 0)), '')
              as text
       from (${ownClasses}) c where c.relkind = 'v' order by c.relname`,
  )
  return views.map(({ text }) => text)
}

async function otherStatements(db: Db): Promise<{ extensions: string[]; functions: string[] }> {
  const extensions = await rows<{ text: string }>(
    db,
    `select 'create extension ' || extname || ';' as text from pg_extension where extname <> 'plpgsql'
      order by extname`,
  )
  const functions = await rows<{ text: string }>(
    db,
    `select pg_get_functiondef(p.oid) || ';' || coalesce(
              E'\\ncomment on function ' || p.proname || ' is ' || quote_literal(obj_description(p.oid, 'pg_proc')) ||
                ';', '')
              as text
       from pg_proc p
      where p.pronamespace = 'public'::regnamespace
        and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid
            and d.deptype = 'e')
      order by p.proname`,
  )
  return { extensions: extensions.map(({ text }) => text), functions: functions.map(({ text }) => text.trimEnd()) }
}
