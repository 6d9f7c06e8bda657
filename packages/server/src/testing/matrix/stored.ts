import { type Db, rows } from '../../db/db.ts'

/** What a refused request may touch: counted attempts, and what belongs to the machinery or to the simulated network. */
const passing = ['agenda_jobs', 'attempt_windows', 'change_limits', 'schema_migrations', 'service_clock']

/** The number of rows of every table, with a fingerprint of what stands in them: equal when nothing was stored or changed. */
export async function storedState(db: Db): Promise<Record<string, string>> {
  const tables = await rows<{ name: string }>(
    db,
    `select table_name as name from information_schema.tables
      where table_schema = 'public' and table_name not like 'sim\\_%' and table_name <> all(:passing::text[])`,
    { passing },
  )
  const counts = tables.map(({ name }) => {
    // A request that is refused has used its key, too.
    const row = name === 'api_keys' ? `(to_jsonb(t) - 'last_used_at')::text` : 't::text'
    return `select '${name}' as name, count(*) || ' ' || md5(coalesce(string_agg(${row}, ' ' order by ${row}), '')) as state
              from ${name} t`
  })
  const found = await rows<{ name: string; state: string }>(db, counts.join(' union all '))
  return Object.fromEntries(found.map(({ name, state }) => [name, state]))
}
