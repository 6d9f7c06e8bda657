import { expect, it, onTestFinished } from 'vitest'
import { testDatabase } from '#testing/database.ts'
import { startSilentLink } from '#testing/silent-link.ts'
import { connect, rows, transaction } from './db.ts'

const { url } = await testDatabase()
const responseTimeoutMs = 300

async function silentPool() {
  const link = await startSilentLink(url)
  const db = connect(link.url, { poolMax: 1, responseTimeoutMs })
  onTestFinished(() => db.destroy())
  await rows(db, 'select 1 as one')
  return { db, link }
}

it('breaks a connection that does not respond, and the next statement gets another one', async () => {
  const { db, link } = await silentPool()
  link.silence()
  await expect(rows(db, 'select 2 as two')).rejects.toThrow('Query read timeout')
  // The pool has room for one connection only: the silent one cannot be in it any more.
  expect(await rows(db, 'select 3 as three')).toEqual([{ three: 3 }])
  expect(link.open()).toBe(1)
})

it('breaks it within a transaction too, whose rollback does not wait behind the lost statement', async () => {
  const { db, link } = await silentPool()
  const broken = transaction(db, async (trx) => {
    await rows(trx, 'select 1 as one')
    link.silence()
    await rows(trx, 'select 2 as two')
  })
  await expect(broken).rejects.toThrow('ROLLBACK - Client was closed and is not queryable')
  expect(await rows(db, 'select 3 as three')).toEqual([{ three: 3 }])
})

it('lets a statement take its time while its limit is not over', async () => {
  const { db } = await silentPool()
  expect(await rows(db, 'select 1 as one from pg_sleep(0.05)')).toEqual([{ one: 1 }])
  const unlimited = connect(url, { poolMax: 1 })
  onTestFinished(() => unlimited.destroy())
  expect(await rows(unlimited, 'select 1 as one from pg_sleep(0.4)')).toEqual([{ one: 1 }])
})
