import { once } from 'node:events'
import { connect as openSocket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { type Config, ConfigError, readConfig } from '#process/config.ts'
import { type RunningServer, startServer } from '#process/start.ts'
import { testDatabase } from '#testing/database.ts'
import { eventually } from '#testing/eventually.ts'
import { samplesOf } from '#testing/features/metrics.ts'

const { url } = await testDatabase()

const usual = {
  NODE_ENV: 'test',
  HOST: '127.0.0.1',
  PORT: '0',
  METRICS_PORT: '0',
  LOG_LEVEL: 'silent',
  DATABASE_URL: url,
}

function configOf(more: Record<string, string>): Config {
  return readConfig({ ...usual, ...more })
}

async function start(more: Record<string, string> = {}): Promise<RunningServer> {
  const server = await startServer(configOf(more))
  onTestFinished(() => server.stop(1000))
  return server
}

async function scrape(server: RunningServer): Promise<Map<string, number>> {
  return samplesOf(await (await fetch(`${server.operations?.address}/metrics`)).text())
}

/** Sends `count` requests for random paths through one connection, and waits for their answers. */
async function requestRandomPaths(port: number, count: number): Promise<void> {
  const socket = openSocket(port, '127.0.0.1')
  await once(socket, 'connect')
  const status = 'HTTP/1.1 404'
  let responses = 0
  let rest = ''
  const all = new Promise<void>((resolve) => {
    socket.on('data', (bytes) => {
      // A chunk may end within the words that are counted.
      const parts = (rest + bytes.toString('latin1')).split(status)
      responses += parts.length - 1
      rest = (parts.at(-1) ?? '').slice(1 - status.length)
      if (responses >= count) resolve()
    })
  })
  const paths = Array.from({ length: count }, (_, n) => `/${['api/v1', 'x', 'healthz'][n % 3]}/${crypto.randomUUID()}`)
  socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''))
  await all
  socket.destroy()
}

describe('GET /metrics', () => {
  it('gets no series from 2,000 random paths, and counts them', async () => {
    const server = await start({ SERVICES: 'api' })
    await requestRandomPaths(server.http?.port ?? 0, 1)
    const before = await scrape(server)
    await requestRandomPaths(server.http?.port ?? 0, 1999)
    const unmatched = 'msgctl_http_requests_total{route="none",status="404"}'
    const after = await eventually(
      () => scrape(server),
      (found) => found.get(unmatched) === 2000,
    )
    expect([...after.keys()].filter((name) => name.startsWith('msgctl_'))).toEqual(
      [...before.keys()].filter((name) => name.startsWith('msgctl_')),
    )
  }, 60_000)

  it('shows the figures of the process', async () => {
    const server = await start({ SERVICES: 'api' })
    const names = [...(await scrape(server)).keys()]
    expect(names).toContain('process_resident_memory_bytes')
    expect(names).toContain('nodejs_eventloop_lag_seconds')
    expect(names).toContain('msgctl_clock_ahead_seconds')
    for (const state of ['used', 'idle', 'waiting']) expect(names).toContain(`msgctl_database_pool{state="${state}"}`)
    expect(names).not.toContain('msgctl_dispatcher_last_poll_age_seconds')
  })

  it('is not served at the port of the API, nor anywhere without METRICS_PORT', async () => {
    const server = await start()
    expect((await fetch(`${server.http?.address}/metrics`)).status).toBe(404)
    const { METRICS_PORT: _, ...without } = usual
    const plain = await startServer(readConfig({ ...without, SERVICES: 'api' }))
    onTestFinished(() => plain.stop(1000))
    expect(plain.operations).toBeNull()
  })
})

describe('a process that is a worker only', () => {
  it('reports on the metrics port that it is alive and ready, and that its dispatcher polls', async () => {
    const server = await start({ SERVICES: 'worker' })
    const request = async (path: string) => {
      const response = await fetch(`${server.operations?.address}${path}`)
      return { status: response.status, body: await response.json() }
    }
    expect(server.http).toBeNull()
    expect(await request('/healthz')).toEqual({
      status: 200,
      body: { status: 'ok', version: expect.stringMatching(/^\d+\.\d+\.\d+$/) },
    })
    const ready = await eventually(
      () => request('/readyz'),
      ({ status }) => status === 200,
    )
    expect(ready.body).toEqual({
      status: 'ready',
      checks: { database: 'ok', migrations: 'ok', dispatcher: 'ok', jobs: 'ok', accepting: 'ok' },
    })
    expect((await scrape(server)).get('msgctl_dispatcher_last_poll_age_seconds')).toBeLessThan(10)
    const reap = (await scrape(server)).get('msgctl_job_last_end_age_seconds{job="messages.requeue-expired-leases"}')
    expect(reap).toBeGreaterThan(0)
    expect(reap).toBeLessThan(45)
    expect((await request('/api/v1/me')).status).toBe(404)
  })

  it('says no to readiness while it stops', async () => {
    const server = await start({ SERVICES: 'worker' })
    const lock = await server.services.db.transaction()
    onTestFinished(async () => void (await lock.rollback()))
    await lock.raw('lock table lanes in access exclusive mode')
    // Once the dispatcher waits there, the stop takes its whole time.
    const waiting = `select 1 as one from pg_locks
                      where relation = 'lanes'::regclass and not granted
                        and database = (select oid from pg_database where datname = current_database())`
    await eventually(
      () => rows(server.services.db, waiting),
      (found) => found.length > 0,
    )
    const stopping = server.stop(2000)
    const response = await fetch(`${server.operations?.address}/readyz`)
    expect(response.status).toBe(503)
    expect(await response.json()).toMatchObject({ checks: { accepting: 'failed' } })
    await lock.rollback()
    await stopping
  })
})

describe('a port of metrics that cannot be taken', () => {
  it('is named with METRICS_HOST and METRICS_PORT', async () => {
    const { http } = await start({ SERVICES: 'api' })
    const error = await startServer(configOf({ METRICS_PORT: String(http?.port) })).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ConfigError)
    expect((error as Error).message).toBe(
      `Metrics cannot be served with METRICS_HOST=127.0.0.1 and METRICS_PORT=${http?.port}: another program ` +
        'uses this port.',
    )
  })
})
