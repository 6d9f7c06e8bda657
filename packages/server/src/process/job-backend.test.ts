import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { testDatabase } from '#testing/database.ts'
import { PolledJobBackend } from './job-backend.ts'

const { url } = await testDatabase()

/** A backend whose pool refuses its first connections. */
function backendRefused(times: number) {
  const pool = new pg.Pool({ connectionString: url, max: 1 })
  onTestFinished(() => (pool.ending ? undefined : pool.end()))
  const open = pool.connect.bind(pool)
  let tries = 0
  pool.connect = (async () => {
    tries += 1
    if (tries <= times) throw new Error('the database system is shutting down')
    return open()
  }) as typeof pool.connect
  const config = { pool, tableName: 'agenda_jobs', ensureSchema: false, disableNotifications: true }
  return { backend: new PolledJobBackend(config, async () => new Set()), pool, tries: () => tries }
}

it('connects once the database is there, and ends no process before', async () => {
  const { backend, tries } = backendRefused(1)
  await backend.connect()
  expect(tries()).toBe(2)
})

it('gives up when its pool has ended', async () => {
  const { backend, pool, tries } = backendRefused(Number.POSITIVE_INFINITY)
  await pool.end()
  await backend.connect()
  expect(tries()).toBe(1)
})
