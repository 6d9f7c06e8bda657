import { pino } from 'pino'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { testDatabase } from '#testing/database.ts'
import { describeWrongClock, startClock } from './clock.ts'
import { clockReports } from './clock-reports.ts'
import { type Db, rows } from './db.ts'

const { db } = await testDatabase()

/** The database, except that what it answers to the next reading of the clock waits until it is let go. */
function holdingBack() {
  let letGo = () => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  let isNext = false
  const slow = new Proxy(db, {
    get(target, name, receiver) {
      if (name !== 'raw' || !isNext) return Reflect.get(target, name, receiver)
      isNext = false
      return async (...args: [string]) => {
        const answer = await target.raw(...args)
        await held
        return answer
      }
    },
  })
  return {
    db: slow as Db,
    letGo,
    begin: () => {
      isNext = true
    },
  }
}

describe('the clock', () => {
  it('is not taken back by a reading that was under way when it was moved', async () => {
    const late = holdingBack()
    const clock = await startClock(late.db, { followMs: 60_000 })
    afterAll(() => clock.stop())
    await clock.freeze()
    late.begin()
    const reading = clock.sync()
    const moved = await clock.advance(3600)
    late.letGo()
    await reading
    expect(clock.now()).toEqual(moved)
    await clock.sync()
    expect(clock.now()).toEqual(moved)
  })

  it('counts elapsed time between readings, and does not step with the clock of the machine', async () => {
    let elapsed = 5000
    const clock = await startClock(db, { followMs: 60_000, elapsedMs: () => elapsed })
    onTestFinished(() => clock.stop())
    const [row] = await rows<{ at: Date }>(
      db,
      'update service_clock set frozen_at = null returning service_now() as at',
    )
    await clock.sync()
    const before = clock.now().getTime()
    expect(before - (row?.at.getTime() ?? 0)).toBeLessThan(10_000)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3 * 86_400_000 })
    onTestFinished(() => void vi.useRealTimers())
    elapsed += 1500
    expect(clock.now().getTime() - before).toBe(1500)
  })

  it('shows by how much the clock of the machine is off, at once and without a reading', async () => {
    let stepMs = 0
    const clock = await startClock(db, { followMs: 60_000, machineNowMs: () => Date.now() + stepMs })
    onTestFinished(() => clock.stop())
    expect(describeWrongClock(clock.aheadMs())).toBeNull()
    stepMs = 600_000
    expect(describeWrongClock(clock.aheadMs())).toBe("The clock of this machine is 600 s ahead of the database's")
    await clock.advance(86_400)
    stepMs = -30_000
    expect(describeWrongClock(clock.aheadMs())).toBe("The clock of this machine is 30 s behind the database's")
    stepMs = 0
    await clock.sync()
    expect(describeWrongClock(clock.aheadMs())).toBeNull()
  })

  it('has each change of the clock of the machine logged once', async () => {
    let stepMs = 600_000
    const lines: { event: string; msg: string }[] = []
    const log = pino({ level: 'info' }, { write: (line) => void lines.push(JSON.parse(line)) })
    const machineNowMs = () => Date.now() + stepMs
    const clock = await startClock(db, { followMs: 60_000, machineNowMs, onRead: clockReports(log) })
    onTestFinished(() => clock.stop())
    await clock.sync()
    stepMs = 0
    await clock.sync()
    await clock.sync()
    expect(lines.map(({ event }) => event)).toEqual(['clock_wrong', 'clock_right'])
    expect(lines[0]?.msg).toBe("The clock of this machine is 600 s ahead of the database's: set it right.")
  })
})
