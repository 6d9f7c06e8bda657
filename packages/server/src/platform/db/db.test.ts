import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { testDatabase } from '#testing/database.ts'
import { type ConnectOptions, connect, type Db, preparedRows, rows, transaction, tryWithin } from './db.ts'
import { camelName, snakeName } from './names.ts'

const { db, url } = await testDatabase()
await db.raw('create table notes (id int primary key, text text not null)')

const opened: Db[] = []
afterAll(() => Promise.all(opened.map((pool) => pool.destroy())))

function open(options: ConnectOptions = {}, at: string = url): Db {
  const pool = connect(at, options)
  opened.push(pool)
  return pool
}

describe('connect', () => {
  it('gives times as Date, counts as number, days as text, and works in UTC', async () => {
    const sql = `select timestamptz '2026-01-02 03:04:05+02' as at, count(*) as count, date '2026-01-02' as day,
      array[1, null, 3]::int8[] as counts, array[]::int8[] as none, current_setting('TimeZone') as zone`
    expect(await rows(db, sql)).toEqual([
      {
        at: new Date('2026-01-02T01:04:05Z'),
        count: 1,
        day: '2026-01-02',
        counts: [1, null, 3],
        none: [],
        zone: 'UTC',
      },
    ])
  })

  it.each([rows, preparedRows])('gives columns camel-case names, and leaves those in JSON: %o', async (read) => {
    const sql = `select 1 as due_at, '{"due_at": [{"sent_at": 1}]}'::jsonb as as_json, 2 as "asItIs" where :isRead`
    expect(await read(db, sql, { isRead: true })).toEqual([
      { dueAt: 1, asJson: { due_at: [{ sent_at: 1 }] }, asItIs: 2 },
    ])
  })

  it('gives the query builder the same names', async () => {
    const [id, changed] = [randomUUID(), { hadTrialAt: new Date(0) }]
    const user = { id, name: 'Ada', email: 'ada@example.com', createdAt: new Date(0) }
    await db('users').insert(user)
    await db('users').where({ createdAt: user.createdAt }).update(changed)
    expect(await db('users').where('hadTrialAt', '<', new Date(1)).first('createdAt', 'hadTrialAt')).toEqual({
      createdAt: user.createdAt,
      ...changed,
    })
    expect(await db('users').pluck('createdAt')).toEqual([user.createdAt])
  })

  it('can name every column of the schema', async () => {
    const columns = await rows<{ name: string }>(
      db,
      `select distinct column_name as name from information_schema.columns where table_schema = 'public'`,
    )
    expect(columns.length).toBeGreaterThan(300)
    for (const { name } of columns) expect(snakeName(camelName(name))).toBe(name)
  })

  it('makes its settings after connecting, because poolers refuse startup parameters', async () => {
    const pool = open({ statementTimeoutMs: 12_000 })
    const sql = `select name, setting, source from pg_settings
                  where name in ('TimeZone', 'jit', 'statement_timeout', 'idle_in_transaction_session_timeout')
                    order by 1`
    expect(await rows(pool, sql)).toEqual([
      { name: 'TimeZone', setting: 'UTC', source: 'session' },
      { name: 'idle_in_transaction_session_timeout', setting: '60000', source: 'session' },
      { name: 'jit', setting: 'off', source: 'session' },
      { name: 'statement_timeout', setting: '12000', source: 'session' },
    ])
  })

  it.each([
    ['alone', (pool: Db) => pool.raw('insert into notes values (1, $$x$$)')],
    ['in a transaction', (pool: Db) => transaction(pool, (trx) => trx.raw('insert into notes values (2, $$x$$)'))],
  ])('ends a session that is read-only after a change %s failed in it', async (_how, change) => {
    const pool = open({ poolMax: 1 })
    const session = async () => (await rows<{ pid: number }>(pool, 'select pg_backend_pid() as pid'))[0]?.pid
    const before = await session()
    await pool.raw('set default_transaction_read_only = on')
    expect(await session()).toBe(before)
    await expect(change(pool)).rejects.toMatchObject({ code: '25006' })
    expect(await session()).not.toBe(before)
    await change(pool)
  })

  it('refuses a whole number that JavaScript would round', async () => {
    expect(await rows(db, 'select 9007199254740991 as n')).toEqual([{ n: Number.MAX_SAFE_INTEGER }])
    await expect(rows(db, 'select 9007199254740992 as n')).rejects.toThrow(RangeError)
  })

  it('works again after the database has closed its connections', async () => {
    const pool = open({ applicationName: 'closed by the database', poolMax: 3 })
    // Held at once, or one connection would serve two of them.
    const held = await Promise.all([1, 2, 3].map(() => pool.transaction()))
    await Promise.all(held.map((trx) => trx.rollback()))
    const killed = await rows(
      db,
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name = 'closed by the database'`,
    )
    expect(killed).toHaveLength(3)
    // A query that gets a connection before the news of its end has arrived may still fail: one at most for each.
    let answer: object[] | undefined
    for (let query = 1; query <= 4 && answer === undefined; query++) {
      answer = await rows(pool, 'select 1 as alive').catch(() => undefined)
    }
    expect(answer).toEqual([{ alive: 1 }])
  })

  it('refuses new work at once while the pool closes, and lets running work finish', async () => {
    const pool = connect(url)
    const held = await pool.transaction()
    let isClosed = false
    const closed = pool.destroy().then(() => {
      isClosed = true
    })
    await expect(pool.raw('select 1')).rejects.toThrow('the database pool is closed')
    await expect(pool.transaction()).rejects.toThrow('the database pool is closed')
    expect([await rows(held, 'select 1 as one'), isClosed]).toEqual([[{ one: 1 }], false])
    await held.commit()
    await closed
  })

  it('ends a statement that runs longer than it may', async () => {
    const pool = open({ statementTimeoutMs: 20 })
    await expect(pool.raw('select pg_sleep(60)')).rejects.toMatchObject({ code: '57014' })
  })

  it('undoes what takes longer than it may, and limits no other statement', async () => {
    const pool = open()
    const late = await tryWithin(pool, 20, async (trx) => {
      await trx.raw('create table half_done ()')
      await trx.raw('select pg_sleep(60)')
    })
    expect(late).toBeNull()
    expect(await rows(pool, `select to_regclass('half_done') as made`)).toEqual([{ made: null }])
    expect(await tryWithin(pool, 5000, (trx) => rows(trx, 'show statement_timeout'))).toEqual([
      { statementTimeout: '5s' },
    ])
    expect(await rows(pool, 'show statement_timeout')).toEqual([{ statementTimeout: '30s' }])
    await expect(tryWithin(pool, 5000, (trx) => rows(trx, 'select 1 / 0'))).rejects.toMatchObject({ code: '22012' })
  })

  it('gives up on a server that does not answer', async () => {
    const sockets: Socket[] = []
    const silent = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    const pool = open({ connectTimeoutMs: 50 }, `postgres://nobody@127.0.0.1:${port}/nothing`)
    await expect(pool.raw('select 1')).rejects.toThrow(/timeout|timed out/i)
    for (const socket of sockets) socket.destroy()
    silent.close()
  })

  it('keeps the values out of the errors, since they may be secret', async () => {
    const secret = 'a secret value'
    const failed = rows(db, 'select 1 / :zero::int, :secret::text', { zero: 0, secret })
    await expect(failed).rejects.toThrow(/select 1 .*division by zero/)
    await expect(failed).rejects.not.toThrow(secret)
  })
})

describe('rows', () => {
  it('binds by name, leaves casts and colons in literals alone, and takes arrays and objects', async () => {
    const sql = `select :id::uuid as id, '12:30' as time, 2 = any(:list::int[]) as found, :object::jsonb as object,
      :nothing::text as nothing, :id::uuid = :id::uuid as same`
    const id = '0190c7a1-0000-7000-8000-000000000001'
    expect(await rows(db, sql, { id, list: [1, 2], object: { a: [1] }, nothing: null })).toEqual([
      { id, time: '12:30', found: true, object: { a: [1] }, nothing: null, same: true },
    ])
  })

  it('knows the jsonb operators by an escaped question mark and refuses a bare one', async () => {
    expect(await rows(db, `select '{"a": 1}'::jsonb \\? :key as has`, { key: 'a' })).toEqual([{ has: true }])
    await expect(rows(db, `select '{"a": 1}'::jsonb ? 'a' as has`)).rejects.toThrow(/bare \?/)
  })
})

describe('transaction', () => {
  beforeEach(() => db.raw('truncate notes'))

  const insert = (on: Db, id: number) => rows(on, `insert into notes values (:id, 'x')`, { id })
  const stored = async () => (await rows<{ id: number }>(db, 'select id from notes order by id')).map(({ id }) => id)
  const fail = (on: Db, code: string) =>
    on.raw(`do $$ begin raise exception 'on purpose' using errcode = '${code}'; end $$`)

  it('commits and returns what the function returned', async () => {
    const answer = await transaction(db, async (trx) => {
      await insert(trx, 1)
      return 'done'
    })
    expect(answer).toBe('done')
    expect(await stored()).toEqual([1])
  })

  it('stores nothing when the function throws, and throws that error', async () => {
    const error = new Error('refused')
    const failed = transaction(db, async (trx) => {
      await insert(trx, 1)
      throw error
    })
    await expect(failed).rejects.toBe(error)
    expect(await stored()).toEqual([])
  })

  it.each([
    ['40001', 'a serialization failure'],
    ['40P01', 'a deadlock'],
  ])('runs again after %s, %s, and stores each row once', async (code) => {
    let attempts = 0
    await transaction(db, async (trx) => {
      await insert(trx, 1)
      if (++attempts < 4) await fail(trx, code)
    })
    expect(attempts).toBe(4)
    expect(await stored()).toEqual([1])
  })

  it('gives up after six attempts, and at once after any other error', async () => {
    const attempts = { '40001': 0, '23505': 0 }
    for (const code of ['40001', '23505'] as const) {
      const failed = transaction(db, (trx) => {
        attempts[code] += 1
        return fail(trx, code)
      })
      await expect(failed).rejects.toMatchObject({ code })
    }
    expect(attempts).toEqual({ '40001': 6, '23505': 1 })
  })

  it('lets both of two transactions through that lock the same rows in opposite order', async () => {
    await insert(db, 1)
    await insert(db, 2)
    await db.raw(`alter database ${new URL(url).pathname.slice(1)} set deadlock_timeout = '20ms'`)
    const pool = open({ poolMax: 2 })
    let holders = 0
    const both = [
      [1, 2],
      [2, 1],
    ].map((order) =>
      transaction(pool, async (trx) => {
        for (const id of order) {
          await rows(trx, `update notes set text = text || 'y' where id = :id`, { id })
          holders += 1
          while (holders < 2) await trx.raw('select 1')
        }
      }),
    )
    await Promise.all(both)
    expect(await rows(db, 'select text from notes')).toEqual([{ text: 'xyy' }, { text: 'xyy' }])
  })

  it('joins an open transaction, so that the outer one decides', async () => {
    const failed = transaction(db, async (outer) => {
      await transaction(outer, (inner) => insert(inner, 1))
      throw new Error('refused')
    })
    await expect(failed).rejects.toThrow('refused')
    expect(await stored()).toEqual([])
  })
})
