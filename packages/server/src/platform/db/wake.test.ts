import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { testDatabase } from '#testing/database.ts'
import { eventually } from '#testing/eventually.ts'
import { rows, transaction } from './db.ts'
import { afterCommit, localWake, signalThrough, startWake } from './wake.ts'

const { db, url } = await testDatabase()
await db.raw('create table notes (id int primary key)')
const wake = localWake()
signalThrough(db, wake)

/** The channels that were signalled. */
const signalled: string[] = []
for (const channel of ['lanes', 'events', 'mail'] as const) wake.on(channel, () => void signalled.push(channel))

beforeEach(() => {
  signalled.length = 0
})

const add = (id: number, at = db) => rows(at, 'insert into notes values (:id)', { id })

describe('afterCommit', () => {
  it('signals each channel once, after the commit', async () => {
    await transaction(db, async (trx) => {
      afterCommit(trx, 'lanes')
      await add(1, trx)
      afterCommit(trx, 'events', 'lanes')
      expect(signalled).toEqual([])
    })
    expect(signalled).toEqual(['lanes', 'events'])
  })

  it('leaves it to the owner of a transaction that others join', async () => {
    await transaction(db, async (trx) => {
      await transaction(trx, async (joined) => {
        await add(2, joined)
        afterCommit(joined, 'mail')
      })
      expect(signalled).toEqual([])
    })
    expect(signalled).toEqual(['mail'])
  })

  it('signals nothing after a rollback', async () => {
    const failed = transaction(db, async (trx) => {
      await add(3, trx)
      afterCommit(trx, 'events')
      throw new Error('no')
    })
    await expect(failed).rejects.toThrow('no')
    expect(signalled).toEqual([])
  })

  it('signals nothing for a commit that the database refuses', async () => {
    await db.raw('create table late (id int unique deferrable initially deferred)')
    const refused = transaction(db, async (trx) => {
      await trx.raw('insert into late values (1), (1)')
      afterCommit(trx, 'events')
    })
    await expect(refused).rejects.toMatchObject({ code: '23505' })
    expect(signalled).toEqual([])
  })

  it('signals once what a later attempt committed', async () => {
    let attempts = 0
    await transaction(db, async (trx) => {
      attempts += 1
      afterCommit(trx, attempts === 1 ? 'mail' : 'events')
      if (attempts === 1) await trx.raw(`do $$ begin raise sqlstate '40001'; end $$`)
    })
    expect({ attempts, signalled }).toEqual({ attempts: 2, signalled: ['events'] })
  })

  it('signals at once outside of a transaction, and through every wake of its pool', async () => {
    const other = localWake()
    const unsubscribe = signalThrough(db, other)
    other.on('lanes', () => void signalled.push('other lanes'))
    afterCommit(db, 'lanes')
    expect(signalled).toEqual(['lanes', 'other lanes'])
    unsubscribe()
    afterCommit(db, 'lanes')
    expect(signalled).toEqual(['lanes', 'other lanes', 'lanes'])
  })
})

describe('signals between processes', () => {
  it('leave at once; those that follow closely become one', async () => {
    const [sending, hearing] = [startWake(db, url), startWake(db, url)]
    onTestFinished(async () => void (await Promise.all([sending.stop(), hearing.stop()])))
    await eventually(async () => hearing.isHeard(), Boolean)
    let heard = 0
    let notice = () => {}
    hearing.on('checks', () => {
      heard += 1
      notice()
    })
    const next = () => new Promise<void>((resolve) => (notice = resolve))
    // No timer ends but by this test.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const first = next()
    for (let n = 0; n < 20; n += 1) sending.signal('checks')
    await first
    expect(heard).toBe(1)
    const second = next()
    vi.advanceTimersByTime(20)
    await second
    expect([heard, vi.getTimerCount()]).toEqual([2, 0])
  })
})
