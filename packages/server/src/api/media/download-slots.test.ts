import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { downloadSlots, NoDownloadSlot } from './download-slots.ts'

/** Work that ends when the test says so. */
function work(log: string[], name: string) {
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  return {
    end,
    async run() {
      log.push(name)
      await ended
      return name
    },
  }
}

describe('download slots', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('admit as many downloads as there are slots, and the next in their order', async () => {
    const log: string[] = []
    const { run } = downloadSlots({ limit: 2, perKey: 2, maxQueued: 10, waitMs: 1000 })
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => work(log, name))
    const all = [a, b, c, d].map((one, n) => run(`owner ${n}`, () => one?.run() ?? Promise.resolve('')))
    await vi.advanceTimersByTimeAsync(0)
    expect(log).toEqual(['a', 'b'])
    b?.end()
    await all[1]
    await vi.advanceTimersByTimeAsync(0)
    expect(log).toEqual(['a', 'b', 'c'])
    for (const one of [a, c, d]) one?.end()
    expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd'])
  })

  it('keep one organization from taking them all', async () => {
    const log: string[] = []
    const { run } = downloadSlots({ limit: 3, perKey: 1, maxQueued: 10, waitMs: 1000 })
    const [first, second, other] = ['first', 'second', 'other'].map((name) => work(log, name))
    const one = run('greedy', () => first?.run() ?? Promise.resolve(''))
    const two = run('greedy', () => second?.run() ?? Promise.resolve(''))
    const three = run('other', () => other?.run() ?? Promise.resolve(''))
    await vi.advanceTimersByTimeAsync(0)
    expect(log).toEqual(['first', 'other'])
    first?.end()
    await one
    await vi.advanceTimersByTimeAsync(0)
    expect(log).toEqual(['first', 'other', 'second'])
    second?.end()
    other?.end()
    await Promise.all([two, three])
  })

  it('are free again after a download that failed', async () => {
    const { run } = downloadSlots({ limit: 1, perKey: 1, maxQueued: 0, waitMs: 1000 })
    await expect(run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    await expect(run('a', async () => 'yes')).resolves.toBe('yes')
  })

  it('are waited for within the time limit, and then still given to others', async () => {
    const log: string[] = []
    const { run } = downloadSlots({ limit: 1, perKey: 1, maxQueued: 10, waitMs: 1000 })
    const held = work(log, 'held')
    const first = run('a', held.run)
    const second = run('b', async () => 'late').catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(1000)
    expect(await second).toBeInstanceOf(NoDownloadSlot)
    const third = run('c', async () => 'in time')
    held.end()
    await first
    expect(await third).toBe('in time')
  })

  it('are waited for by no more downloads than may wait', async () => {
    const held = work([], 'held')
    const { run } = downloadSlots({ limit: 1, perKey: 1, maxQueued: 1, waitMs: 1000 })
    const first = run('a', held.run)
    const second = run('b', async () => 'second')
    await expect(run('c', async () => 'third')).rejects.toBeInstanceOf(NoDownloadSlot)
    held.end()
    expect([await first, await second]).toEqual(['held', 'second'])
  })

  describe('for slow downloads', () => {
    const bounds = { limit: 2, perKey: 2, maxQueued: 10, waitMs: 10_000, slow: { limit: 2, afterMs: 3000 } }
    /** Work that lasts until it is evicted or the test ends it. */
    function start(within: ReturnType<typeof downloadSlots>['run'], owner: string, keeps = false) {
      let end = () => {}
      const state = { outcome: 'waits' }
      within(owner, async ({ signal, keep }) => {
        state.outcome = 'runs'
        if (keeps) keep()
        await new Promise<void>((resolve, reject) => {
          end = resolve
          signal.addEventListener('abort', () => reject(signal.reason))
        })
      }).then(
        () => (state.outcome = 'done'),
        (error) => (state.outcome = error instanceof NoDownloadSlot ? 'evicted' : String(error)),
      )
      return { state, end: () => end() }
    }
    const outcomes = (works: readonly { state: { outcome: string } }[]) => works.map(({ state }) => state.outcome)

    it('never hold the other slots for longer, of however many organizations they are', async () => {
      const { run } = downloadSlots(bounds)
      const works = Array.from({ length: 12 }, (_, n) => start(run, `slow ${n}`))
      await vi.advanceTimersByTimeAsync(0)
      expect(outcomes(works).filter((outcome) => outcome === 'runs')).toHaveLength(2)
      await vi.advanceTimersByTimeAsync(9000)
      expect(outcomes(works)).toEqual([
        ...Array(4).fill('evicted'),
        ...Array(4).fill('runs'),
        ...Array(4).fill('waits'),
      ])
    })

    it('admit an organization first that was not slow', async () => {
      const { run } = downloadSlots(bounds)
      const works = Array.from({ length: 12 }, (_, n) => start(run, `slow ${n % 2}`))
      await vi.advanceTimersByTimeAsync(2999)
      const brisk = start(run, 'brisk')
      expect(brisk.state.outcome).toBe('waits')
      await vi.advanceTimersByTimeAsync(1)
      expect(brisk.state.outcome).toBe('runs')
      expect(outcomes(works).filter((outcome) => outcome === 'runs')).toHaveLength(3)
    })

    it('leave space in the queue for other organizations', async () => {
      const { run } = downloadSlots({ ...bounds, limit: 1, maxQueued: 3 })
      const works = Array.from({ length: 4 }, () => start(run, 'greedy'))
      const others = ['one', 'two', 'three'].map((owner) => start(run, owner))
      await vi.advanceTimersByTimeAsync(0)
      expect(outcomes(works)).toEqual(['runs', 'waits', 'evicted', 'evicted'])
      expect(outcomes(others)).toEqual(['waits', 'waits', 'evicted'])
    })

    it('lose the oldest of the organization that has the most of them', async () => {
      const { run } = downloadSlots({ ...bounds, limit: 3, slow: { limit: 2, afterMs: 3000 } })
      const [one, ...greedy] = [start(run, 'one'), start(run, 'greedy'), start(run, 'greedy')]
      await vi.advanceTimersByTimeAsync(3000)
      expect(outcomes([one as never, ...greedy])).toEqual(['runs', 'evicted', 'runs'])
    })

    it('let a kept download run to its end', async () => {
      const { run } = downloadSlots({ ...bounds, slow: { limit: 0, afterMs: 3000 } })
      const kept = start(run, 'one', true)
      await vi.advanceTimersByTimeAsync(20_000)
      expect(kept.state.outcome).toBe('runs')
      kept.end()
      await vi.advanceTimersByTimeAsync(0)
      expect(kept.state.outcome).toBe('done')
    })

    it('are given back once', async () => {
      const { run } = downloadSlots({ ...bounds, limit: 1, slow: { limit: 1, afterMs: 3000 } })
      for (let n = 0; n < 5; n++) {
        const slow = start(run, 'slow')
        await vi.advanceTimersByTimeAsync(3000)
        const [first, second] = [start(run, 'a'), start(run, 'b')]
        await vi.advanceTimersByTimeAsync(0)
        expect(outcomes([slow, first, second])).toEqual(['runs', 'runs', 'waits'])
        slow.end()
        first.end()
        await vi.advanceTimersByTimeAsync(0)
        second.end()
        await vi.advanceTimersByTimeAsync(0)
        expect(outcomes([slow, first, second])).toEqual(['done', 'done', 'done'])
      }
    })
  })
})
