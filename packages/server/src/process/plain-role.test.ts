import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startEmbeddedPostgres } from '@msgctl/embedded-postgres'
import { afterAll, expect, it } from 'vitest'
import { connect, type Db, rows } from '#platform/db/db.ts'
import { migrate } from '#platform/db/migrate.ts'
import { readConfig } from './config.ts'
import { joinDatabase, type OpenDatabase, openDatabase } from './database.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'msgctl-role-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const configOf = (dataDir: string) => readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' })

/** Runs `work` with a pool to a database, and ends both. */
async function using<T>(database: OpenDatabase, work: (db: Db) => Promise<T>): Promise<T> {
  const db = connect(database.url, { poolMax: 2 })
  return work(db).finally(() => db.destroy().then(() => database.stop()))
}

const whoSql = `select current_user as name, rolsuper as is_superuser, rolcreatedb or rolcreaterole
  or rolreplication as is_more
  from pg_roles where rolname = current_user`

/** What belongs to another role, without extensions. */
const foreignSql = `select c.relname as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'S', 'v')
      and c.relowner <> current_user::regrole
   union all
   select p.proname from pg_proc p where p.pronamespace = 'public'::regnamespace and p.proowner <> current_user::regrole
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`

it('serves a folder that a superuser filled, as a role that can neither reach files nor start programs', async () => {
  const dataDir = path.join(folder, 'before')
  const before = await startEmbeddedPostgres({ dataDir: path.join(dataDir, 'postgres') })
  const superuser = connect(before.url, { poolMax: 1 })
  await migrate(superuser)
  await rows(
    superuser,
    `insert into organizations (id, name, created_at) values (gen_random_uuid(), 'Kept', service_now())`,
  )
  await superuser.destroy()
  await before.stop()

  const first = await openDatabase(configOf(dataDir))
  const joined = await joinDatabase(configOf(dataDir))
  expect(joined.url).toBe(first.url)
  await using(first, async (db) => {
    expect(await rows(db, whoSql)).toEqual([{ name: 'msgctl', isSuperuser: false, isMore: false }])
    expect(await rows(db, 'select name from organizations')).toEqual([{ name: 'Kept' }])
    expect(await rows(db, foreignSql)).toEqual([])
    expect(await rows(db, 'select is_restored() as restored')).toEqual([{ restored: false }])
    // What migrations do.
    await db.raw('alter table organizations add column added integer default 1')
    await db.raw(
      'create or replace function keep_activity() returns trigger language plpgsql as $$ begin return new; end $$',
    )
    for (const statement of [
      `select lo_export(lo_from_bytea(0, 'x'::bytea), '/tmp/msgctl-proof')`,
      `select pg_read_file('PG_VERSION')`,
      `copy organizations to program 'true'`,
      'create role other',
      'alter role postgres password null',
    ]) {
      await expect(db.raw(statement), statement).rejects.toThrow(/permission denied/)
    }
  })
  const second = await openDatabase(configOf(dataDir))
  expect(second.url).not.toBe(first.url)
  expect(await using(second, (db) => rows(db, 'select name from organizations'))).toEqual([{ name: 'Kept' }])
}, 60_000)

it('makes everything in an empty folder as that role, the index of texts too', async () => {
  const database = await openDatabase(configOf(path.join(folder, 'fresh')))
  await using(database, async (db) => {
    expect(await rows(db, foreignSql)).toEqual([])
    expect(await rows(db, whoSql)).toMatchObject([{ name: 'msgctl', isSuperuser: false }])
    expect(await rows(db, `select to_regclass('message_texts_search') is not null as has_index`)).toEqual([
      { hasIndex: true },
    ])
  })
}, 60_000)
