import { describe, expect, it } from 'vitest'
import { withEmptyDatabase } from '#testing/database.ts'
import { connect, type Db, rows } from './db.ts'
import { migrate, pendingMigrations, runSql, UnsupportedSchemaError } from './migrate.ts'
import { migrations } from './migrations/index.ts'

const names = migrations.map(({ name }) => name)

describe('migrate', () => {
  it('runs each migration once when 8 processes start together', async () => {
    await withEmptyDatabase(async (url) => {
      const processes: Db[] = Array.from({ length: 8 }, () => connect(url, { poolMax: 1 }))
      const ran = await Promise.all(processes.map(migrate))
      const applied = await rows(processes[0] as Db, 'select name from schema_migrations order by id')
      await Promise.all(processes.map((db) => db.destroy()))
      expect(ran.flat()).toEqual(names)
      expect(applied.map((row) => (row as { name: string }).name)).toEqual(names)
    })
  })

  it('does nothing on a database that a newer version has migrated further', async () => {
    await withEmptyDatabase(async (url) => {
      const db = connect(url, { poolMax: 1 })
      await migrate(db)
      await db.raw(`insert into schema_migrations (name, batch) values ('9999-from-the-future', 2)`)
      expect(await migrate(db)).toEqual([])
      expect(await pendingMigrations(db)).toEqual([])
      await db.destroy()
    })
  })

  it('refuses a database of a version before 0.1.0, and changes nothing there', async () => {
    await withEmptyDatabase(async (url) => {
      const db = connect(url, { poolMax: 1 })
      await db.raw('create table schema_migrations (id serial, name text, batch integer, migration_time timestamptz)')
      await db.raw(`insert into schema_migrations (name, batch) values ('0001-clock-and-tenants', 1)`)
      await expect(migrate(db)).rejects.toThrow(UnsupportedSchemaError)
      expect(
        await rows(db, 'select tablename as name from pg_tables where schemaname = :schema', { schema: 'public' }),
      ).toEqual([{ name: 'schema_migrations' }])
      await db.destroy()
    })
  })

  it('numbers its files without a gap', () => {
    expect(names.map((name) => Number(name.slice(0, 4)))).toEqual(names.map((_name, at) => at + 1))
    for (const name of names) expect(name).toMatch(/^\d{4}(-[a-z0-9]+)+$/)
  })
})

describe('runSql', () => {
  it('takes a question mark as it stands, in operators, texts and comments', async () => {
    await withEmptyDatabase(async (url) => {
      const db = connect(url, { poolMax: 1 })
      await runSql(db, `-- Why?\ncreate table found as select '{"a?": 1}'::jsonb ? 'a?' as "has"; -- ?`)
      expect(await rows(db, 'select * from found')).toEqual([{ has: true }])
      await db.destroy()
    })
  })
})

describe('pendingMigrations', () => {
  it('names all of them on an empty database without writing to it, and none once migrated', async () => {
    await withEmptyDatabase(async (url) => {
      const db = connect(url, { poolMax: 1 })
      expect(await pendingMigrations(db)).toEqual(names)
      expect(await rows(db, `select 1 from pg_tables where schemaname = 'public'`)).toEqual([])
      await migrate(db)
      expect(await pendingMigrations(db)).toEqual([])
      await db.destroy()
    })
  })
})
