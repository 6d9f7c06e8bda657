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

/** Returns a check for tests between which nothing is stored: it compares the state with that at the last check. */
export async function nothingStored(db: Db): Promise<() => Promise<void>> {
  let before = await storedState(db)
  return async () => {
    const last = before
    before = await storedState(db)
    expect(before).toEqual(last)
  }
}

async function stateQuery(db: Db): Promise<string> {
  const tables = await rows<{ name: string }>(
    db,
    `select table_name as name from information_schema.tables
      where table_schema = 'public' and table_name not like 'sim\\_%' and table_name <> all(:passing::text[])`,
    { passing },
  )
  const counts = tables.map(({ name }) => {
    // A request that is refused has used its key, too.
    const row = name === 'api_keys' ? `(to_jsonb(t) - 'last_used_at')::text` : 't::text'
    return `select '${name}' as name,
              count(*) || ' ' || md5(coalesce(string_agg(${row}, ' ' order by ${row}), '')) as state
              from ${name} t`
  })
  return counts.join(' union all ')
}
