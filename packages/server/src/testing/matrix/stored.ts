import { expect } from 'vitest'
import { type Db, rows } from '#platform/db/db.ts'

/**
 * What a refused request may touch: counted attempts, and what belongs to the machinery or to the simulated network.
 */
const passing = ['agenda_jobs', 'attempt_windows', 'change_limits', 'schema_migrations', 'service_clock']

/** The query of {@link storedState} for a database, whose tables do not change. */
const queries = new WeakMap<Db, string>()

/**
 * The number of rows of every table, with a fingerprint of what stands in them: equal when nothing was stored or
 * changed.
 */
export async function storedState(db: Db): Promise<Record<string, string>> {
  const query = queries.get(db) ?? (await stateQuery(db))
  queries.set(db, query)
  const found = await rows<{ name: string; state: string }>(db, query)
  return Object.fromEntries(found.map(({ name, state }) => [name, state]))
}

/** What was stored in a database, for tests of requests that are refused. */
export interface StoredChanges {
  /** Forgets all changes until now. */
  forget(): Promise<void>
  /** Throws when anything was stored, changed or deleted since the last call (default: in all tables). */
  expectNone(table?: string): Promise<void>
}

/** Notes each change of a row from now on, so that a check reads the notes instead of every table. */
export async function watchStored(db: Db): Promise<StoredChanges> {
  const tables = await storedTables(db)
  await db.raw(`
    create unlogged table stored_changes (change text not null);
    create function note_change() returns trigger language plpgsql as $$ begin
      insert into stored_changes values (lower(tg_op) || ' ' || tg_table_name);
      return null;
    end $$`)
  await db.raw(tables.map(triggersOf).join(';'))
  const take = () => rows<{ change: string }>(db, 'delete from stored_changes returning change')
  return {
    async forget() {
      await take()
    },
    async expectNone(table) {
      const changes = (await take()).map(({ change }) => change)
      expect(changes.filter((change) => table === undefined || change.endsWith(` ${table}`))).toEqual([])
    },
  }
}

/** Triggers by which a transaction notes what it changed; what is rolled back takes its note along. */
function triggersOf(table: string): string {
  // A request that is refused has used its key, too.
  const isChanged =
    table === 'api_keys' ? `to_jsonb(old) - 'last_used_at' <> to_jsonb(new) - 'last_used_at'` : 'old.* *<> new.*'
  return `
    create trigger note_row after insert or delete on ${table} for each row execute function note_change();
    create trigger note_update after update on ${table} for each row
      when (${isChanged}) execute function note_change()`
}

async function storedTables(db: Db): Promise<string[]> {
  const tables = await rows<{ name: string }>(
    db,
    `select table_name as name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not like 'sim\\_%'
        and table_name <> all(:passing::text[])`,
    { passing },
  )
  return tables.map(({ name }) => name)
}

async function stateQuery(db: Db): Promise<string> {
  const tables = await storedTables(db)
  const counts = tables.map((name) => {
    // A request that is refused has used its key, too.
    const row = name === 'api_keys' ? `(to_jsonb(t) - 'last_used_at')::text` : 't::text'
    return `select '${name}' as name,
              count(*) || ' ' || md5(coalesce(string_agg(${row}, ' ' order by ${row}), '')) as state
              from ${name} t`
  })
  return counts.join(' union all ')
}
