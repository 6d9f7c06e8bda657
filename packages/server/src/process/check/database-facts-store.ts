import { type Db, firstRow } from '#platform/db/db.ts'

/** What a database reports about itself. */
export interface DatabaseFacts {
  /** Like 170004. */
  readonly version: number
  readonly versionText: string
  readonly role: string
  readonly standby: boolean
  /** Whether new transactions may change nothing, by a setting of the server, the database or the role. */
  readonly readOnly: boolean
  readonly mayCreate: boolean
  readonly encoding: string
  /** The extensions of search that are installed or could be. */
  readonly extensions: Readonly<Record<string, 'installed' | 'available'>>
  readonly maxConnections: number
  /** Connections of all programs at present. */
  readonly connections: number
  readonly settings: Readonly<Record<string, string>>
}

/** Reads the facts of a database, which need not be migrated. */
export async function readDatabaseFacts(db: Db): Promise<DatabaseFacts> {
  const facts = await firstRow<DatabaseFacts>(
    db,
    `select current_setting('server_version_num')::int as version, current_setting('server_version') as version_text,
            current_user as role, pg_is_in_recovery() as standby,
            current_setting('transaction_read_only')::bool as read_only,
            has_schema_privilege('public', 'create')
              and has_database_privilege(current_database(), 'create') as may_create,
            pg_encoding_to_char((select encoding from pg_database where datname = current_database())) as encoding,
            (select coalesce(jsonb_object_agg(name, case when installed_version is null then 'available'
                  else 'installed' end), '{}')
               from pg_available_extensions where name in ('pg_trgm', 'btree_gin')) as extensions,
            current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
              as max_connections,
            (select count(*) from pg_stat_activity where backend_type = 'client backend') as connections,
            (select jsonb_object_agg(name, setting) from pg_settings
              where name in ('fsync', 'full_page_writes', 'synchronous_commit', 'autovacuum')) as settings`,
  )
  if (!facts) throw new Error('the database returned no facts')
  return facts
}
