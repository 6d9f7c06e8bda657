import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { testDatabase } from '#testing/database.ts'
import { eventually } from '#testing/eventually.ts'
import { startTransactionPooler } from '#testing/transaction-pooler.ts'
import { ConfigError, readConfig } from './config.ts'
import { explainDatabaseError } from './database.ts'
import { startServer } from './start.ts'

const { db, url } = await testDatabase()
const env = { NODE_ENV: 'test', HOST: '127.0.0.1', PORT: '0', DATABASE_URL: url, LOG_LEVEL: 'silent' }

function refused(more: Record<string, string>): Promise<unknown> {
  return startServer(readConfig({ ...env, ...more })).catch((error: unknown) => error)
}

describe('a server that stops', () => {
  it('stops within its time although the database holds the dispatcher up', async () => {
    const server = await startServer(readConfig(env))
    const lock = await db.transaction()
    onTestFinished(async () => {
      if (!lock.isCompleted()) await lock.rollback()
    })
    await lock.raw('lock table lanes in access exclusive mode')
    const waiting = "select 1 as one from pg_locks where relation = 'lanes'::regclass and not granted"
    await eventually(
      () => rows(db, waiting),
      (found) => found.length > 0,
    )
    await server.stop(100)
    expect(lock.isCompleted()).toBe(false)
    await expect(fetch(`${server.http?.address}/healthz`)).rejects.toThrow('fetch failed')
    await lock.rollback()
  })
})

describe('a server with a drain delay', () => {
  it('still takes requests after readiness has turned 503', async () => {
    const server = await startServer(readConfig({ ...env, SERVICES: 'api', DRAIN_DELAY_SECONDS: '2' }))
    const stopped = server.stop()
    const ready = await fetch(`${server.http?.address}/readyz`)
    const served = await fetch(`${server.http?.address}/api/v1/openapi.json`)
    expect([ready.status, served.status, served.headers.get('connection')]).toEqual([503, 200, 'close'])
    await stopped
    await expect(fetch(`${server.http?.address}/healthz`)).rejects.toThrow('fetch failed')
  })
})

describe('a server that cannot start', () => {
  it('names HOST and PORT when the port is taken', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void other.close())
    const { port } = other.address() as AddressInfo
    const error = await refused({ PORT: String(port) })
    expect(error).toBeInstanceOf(ConfigError)
    expect((error as Error).message).toBe(
      `The API cannot listen with HOST=127.0.0.1 and PORT=${port}: another program uses this port.`,
    )
  })

  it('names DATABASE_URL without its password when nothing listens there', async () => {
    const error = await refused({ DATABASE_URL: 'postgres://u:hidden@127.0.0.1:1/msgctl' })
    expect(error).toBeInstanceOf(ConfigError)
    expect((error as Error).message).toBe(
      'The database of DATABASE_URL (127.0.0.1:1/msgctl) cannot be used: nothing listens there.',
    )
  })

  it('names DATABASE_URL when there is no such database', async () => {
    const error = await refused({ DATABASE_URL: url.replace(/t_[0-9a-f]{32}/, 'nowhere') })
    expect(error).toBeInstanceOf(ConfigError)
    expect((error as Error).message).toMatch(/DATABASE_URL .*nowhere.* there is no database of this name/)
  })

  it('names DATABASE_URL when it leads through a pooler in transaction mode', async () => {
    const pooler = await startTransactionPooler(url)
    onTestFinished(() => pooler.stop())
    const error = await refused({ DATABASE_URL: pooler.url })
    expect(error).toBeInstanceOf(ConfigError)
    expect((error as Error).message).toBe(
      'DATABASE_URL leads through a pooler in transaction mode: use session mode, connect to the database ' +
        'directly, or set DATABASE_PREPARED=0.',
    )
  })

  it.each([
    [{ message: 'Connection terminated unexpectedly' }, 'it closed the connection'],
    [{ code: '25006', message: 'cannot execute INSERT in a read-only transaction' }, 'it is read-only'],
  ])('names the database and not its password when it fails with %j', ({ message, ...facts }, reason) => {
    const thrown = Object.assign(new Error(message), facts)
    const error = explainDatabaseError('postgres://u:secret@db.example/msgctl', thrown)
    expect(error).toBeInstanceOf(ConfigError)
    expect((error as Error).message).toContain(`(db.example/msgctl) cannot be used: ${reason}`)
  })

  it('says what to do when a pooler refuses the settings of a session', () => {
    const refusal = Object.assign(new Error('unsupported startup parameter: statement_timeout'), { code: '08P01' })
    const error = explainDatabaseError('postgres://u@db.example:6432/msgctl', refusal)
    expect(error).toBeInstanceOf(ConfigError)
    expect((error as Error).message).toMatch(/DATABASE_URL \(db\.example:6432\/msgctl\) .*pooler.*use session mode/)
  })
})
