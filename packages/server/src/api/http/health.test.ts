import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { connect, type Db, rows } from '#platform/db/db.ts'
import { eventually } from '#testing/eventually.ts'
import { type Edge, startEdge } from '#testing/features/http-edge.ts'

interface Health {
  readonly status: string
  readonly checks: Record<string, string>
  readonly reasons?: Record<string, string>
}

async function request(edge: Edge, path: string) {
  const response = await fetch(`${edge.server.address}${path}`)
  const body = (await response.json()) as Health
  return { status: response.status, id: response.headers.get('x-request-id'), body }
}

/**
 * Makes a database refuse temporary files as one with a full disk does: by a function that stands before the one of
 * Postgres. Returns what ends that.
 */
async function fillDisk(db: Db): Promise<() => Promise<unknown>> {
  const [{ name }] = (await rows<{ name: string }>(db, 'select current_database() as name')) as [{ name: string }]
  await db.raw(
    `create function public.generate_series(int, int) returns setof int language plpgsql as
     $$ begin raise 'could not write to file: No space left on device' using errcode = 'disk_full'; end $$`,
  )
  await rows(db, `alter database ${name} set search_path = public, pg_catalog`)
  await rows(
    db,
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`,
  )
  await rows(db, 'set search_path = public, pg_catalog')
  return async () => db.raw('drop function public.generate_series(int, int)')
}

const nowhere = connect('postgres://nobody@127.0.0.1:1/none', { connectTimeoutMs: 200 })
afterAll(() => nowhere.destroy())

describe('GET /healthz', async () => {
  const edge = await startEdge({}, { services: { db: nowhere } })

  it('is 200 while the process responds, also without its database', async () => {
    expect(await request(edge, '/healthz')).toEqual({
      status: 200,
      id: expect.any(String),
      body: { status: 'ok', version: expect.stringMatching(/^\d+\.\d+\.\d+$/) },
    })
  })

  it('does not make the process ready', async () => {
    const { status, body } = await request(edge, '/readyz')
    expect(status).toBe(503)
    expect(body).toMatchObject({ status: 'not_ready', checks: { database: 'failed', accepting: 'ok' } })
  })
})

describe('GET /readyz', async () => {
  let alive = true
  let problem: string | null = null
  const edge = await startEdge({}, { dispatcherAlive: () => alive, jobsProblem: () => problem })
  const api = await startEdge({})
  const outdated = await startEdge({})

  it('is ready when every part is', async () => {
    expect(await request(edge, '/readyz')).toEqual({
      status: 200,
      id: expect.any(String),
      body: {
        status: 'ready',
        checks: { database: 'ok', migrations: 'ok', dispatcher: 'ok', jobs: 'ok', accepting: 'ok' },
      },
    })
  })

  it('names a dispatcher without a sign of life', async () => {
    alive = false
    const { status, body } = await request(edge, '/readyz')
    expect([status, body.checks.dispatcher]).toEqual([503, 'failed'])
  })

  it('gives the reason why the periodic jobs are not well', async () => {
    problem = 'The clock is wrong.'
    const { status, body } = await request(edge, '/readyz')
    expect([status, body.checks.jobs, body.reasons]).toEqual([503, 'failed', { jobs: 'The clock is wrong.' }])
  })

  it('is ready with a wrong clock in a process without a worker, and says so', async () => {
    const clock = { ...api.clock, aheadMs: () => -600_000 }
    const skewed = await startEdge({}, { services: { db: api.db, clock } })
    const { status, body } = await request(skewed, '/readyz')
    expect([status, body.status]).toEqual([200, 'ready'])
    expect(body.reasons).toEqual({
      clock:
        "The clock of this machine is 600 s behind the database's: set it right. Codes of authenticator apps may be " +
        'refused here.',
    })
    const worker = await startEdge({}, { services: { db: api.db, clock }, jobsProblem: () => null })
    expect((await request(worker, '/readyz')).body.reasons).toBeUndefined()
  })

  it('is ready, and says so, when the schema is two migrations newer than the process', async () => {
    const old = await startEdge({})
    const insert = (name: string) =>
      rows(old.db, `insert into schema_migrations (name, batch, migration_time) values (:name, 2, now())`, { name })
    await insert('0098-newer')
    expect((await request(old, '/readyz')).body.reasons).toBeUndefined()
    await insert('0099-newer')
    const { status, body } = await eventually(
      () => request(old, '/readyz'),
      (seen) => seen.body.reasons !== undefined,
    )
    expect(status).toBe(200)
    expect(body.reasons).toEqual({
      migrations: 'The database has 2 migrations of newer versions. Upgrade this process.',
    })
  })

  it('names migrations that did not run', async () => {
    await rows(outdated.db, `delete from schema_migrations where name like '0001%'`)
    const { status, body } = await request(outdated, '/readyz')
    expect([status, body.checks]).toEqual([503, { database: 'ok', migrations: 'failed', accepting: 'ok' }])
  })

  it('is not ready on a read-only database, and ready again once it accepts changes', async () => {
    const { db } = api
    const [{ name }] = (await rows<{ name: string }>(db, 'select current_database() as name')) as [{ name: string }]
    const readyWith = (database: string) =>
      eventually(
        () => request(api, '/readyz'),
        ({ body }) => body.checks.database === database,
      )
    await rows(db, `alter database ${name} set default_transaction_read_only = on`)
    await rows(
      db,
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`,
    )
    await rows(db, 'set default_transaction_read_only = on')
    const failed = await readyWith('failed')
    expect([failed.status, failed.body.reasons]).toEqual([503, { database: 'The database is read-only.' }])
    await rows(db, `begin read write; alter database ${name} reset default_transaction_read_only; commit`)
    expect((await readyWith('ok')).status).toBe(200)
  })

  it('is not ready while the disk of the database is full, and logs the beginning and the end', async () => {
    const lines: string[] = []
    const full = await startEdge({}, { onLog: (line) => lines.push(line) })
    const logged = () =>
      lines.map((line) => JSON.parse(line) as { event?: string }).filter(({ event }) => event?.startsWith('database_'))
    const empty = await fillDisk(full.db)
    for (let probes = 0; probes < 2; probes += 1) {
      const { status, body } = await request(full, '/readyz')
      expect([status, body.checks]).toEqual([503, { database: 'failed', migrations: 'ok', accepting: 'ok' }])
      expect(body.reasons).toEqual({ database: 'The disk of the database is full.' })
    }
    const refused = { event: 'database_refuses_changes', msg: 'The disk of the database is full.' }
    expect(logged()).toMatchObject([refused])
    await empty()
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 16_000)
    onTestFinished(() => void vi.restoreAllMocks())
    expect((await request(full, '/readyz')).body.status).toBe('ready')
    expect(logged()).toMatchObject([refused, { event: 'database_takes_changes' }])
  })

  it('checks no dispatcher in a process without one, and fails once the server stops', async () => {
    expect((await request(api, '/readyz')).status).toBe(200)
    api.app.drain.abort()
    const { status, body } = await request(api, '/readyz')
    expect([status, body.checks]).toEqual([503, { database: 'ok', migrations: 'ok', accepting: 'failed' }])
  })
})
