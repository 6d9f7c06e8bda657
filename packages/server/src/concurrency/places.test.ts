import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { NoPlaceError, places } from './places.ts'

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

describe('places', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('let in at once as many as there are, and the next in their order', async () => {
    const log: string[] = []
    const { within } = places({ atOnce: 2, perOwner: 2, waiting: 10, waitMs: 1000 })
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => work(log, name))
    const all = [a, b, c, d].map((one, n) => within(`owner ${n}`, () => one?.run() ?? Promise.resolve('')))
    expect(log).toEqual(['a', 'b'])
    b?.end()
    await all[1]
    expect(log).toEqual(['a', 'b', 'c'])
    for (const one of [a, c, d]) one?.end()
    expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd'])
  })

  it('keep one owner from holding them all', async () => {
    const log: string[] = []
    const { within } = places({ atOnce: 3, perOwner: 1, waiting: 10, waitMs: 1000 })
    const [first, second, other] = ['first', 'second', 'other'].map((name) => work(log, name))
    const one = within('greedy', () => first?.run() ?? Promise.resolve(''))
    const two = within('greedy', () => second?.run() ?? Promise.resolve(''))
    const three = within('other', () => other?.run() ?? Promise.resolve(''))
    expect(log).toEqual(['first', 'other'])
    first?.end()
    await one
    expect(log).toEqual(['first', 'other', 'second'])
    second?.end()
    other?.end()
    await Promise.all([two, three])
  })

  it('are free again after work that failed', async () => {
    const { within } = places({ atOnce: 1, perOwner: 1, waiting: 0, waitMs: 1000 })
    await expect(within('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    await expect(within('a', async () => 'yes')).resolves.toBe('yes')
  })

  it('are waited for so long and no longer, and then they are still given to others', async () => {
    const log: string[] = []
    const { within } = places({ atOnce: 1, perOwner: 1, waiting: 10, waitMs: 1000 })
    const held = work(log, 'held')
    const first = within('a', held.run)
    const second = within('b', async () => 'late').catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(1000)
    expect(await second).toBeInstanceOf(NoPlaceError)
    const third = within('c', async () => 'in time')
    held.end()
    await first
    expect(await third).toBe('in time')
  })

  it('are not waited for by more than so many', async () => {
    const held = work([], 'held')
    const { within } = places({ atOnce: 1, perOwner: 1, waiting: 1, waitMs: 1000 })
    const first = within('a', held.run)
    const second = within('b', async () => 'second')
    await expect(within('c', async () => 'third')).rejects.toBeInstanceOf(NoPlaceError)
    held.end()
    expect([await first, await second]).toEqual(['held', 'second'])
  })

  describe('that are slow', () => {
    const bounds = { atOnce: 2, perOwner: 2, waiting: 10, waitMs: 10_000, slow: { atOnce: 2, afterMs: 3000 } }
    /** Work that lasts until it is evicted or the test ends it. */
    function start(within: ReturnType<typeof places>['within'], owner: string, keeps = false) {
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
        (error) => (state.outcome = error instanceof NoPlaceError ? 'evicted' : String(error)),
      )
      return { state, end: () => end() }
    }
    const outcomes = (works: readonly { state: { outcome: string } }[]) => works.map(({ state }) => state.outcome)

    it('never hold the others longer than that, of however many owners they are', async () => {
      const { within } = places(bounds)
      const works = Array.from({ length: 12 }, (_, n) => start(within, `slow ${n}`))
      expect(outcomes(works).filter((outcome) => outcome === 'runs')).toHaveLength(2)
      await vi.advanceTimersByTimeAsync(9000)
      expect(outcomes(works)).toEqual([
        ...Array(4).fill('evicted'),
        ...Array(4).fill('runs'),
        ...Array(4).fill('waits'),
      ])
    })

    it('let an owner in first that was not slow, whoever waits', async () => {
      const { within } = places(bounds)
      const works = Array.from({ length: 12 }, (_, n) => start(within, `slow ${n % 2}`))
      await vi.advanceTimersByTimeAsync(2999)
      const brisk = start(within, 'brisk')
      expect(brisk.state.outcome).toBe('waits')
      await vi.advanceTimersByTimeAsync(1)
      expect(brisk.state.outcome).toBe('runs')
      expect(outcomes(works).filter((outcome) => outcome === 'runs')).toHaveLength(3)
    })

    it('leave room among those who wait', async () => {
      const { within } = places({ ...bounds, atOnce: 1, waiting: 3 })
      const works = Array.from({ length: 4 }, () => start(within, 'greedy'))
      const others = ['one', 'two', 'three'].map((owner) => start(within, owner))
      await vi.advanceTimersByTimeAsync(0)
      expect(outcomes(works)).toEqual(['runs', 'waits', 'evicted', 'evicted'])
      expect(outcomes(others)).toEqual(['waits', 'waits', 'evicted'])
    })

    it('end with their oldest, of the owner that has the most of them', async () => {
      const { within } = places({ ...bounds, atOnce: 3, slow: { atOnce: 2, afterMs: 3000 } })
      const [one, ...greedy] = [start(within, 'one'), start(within, 'greedy'), start(within, 'greedy')]
      await vi.advanceTimersByTimeAsync(3000)
      expect(outcomes([one as never, ...greedy])).toEqual(['runs', 'evicted', 'runs'])
    })

    it('run to their end when they are kept', async () => {
      const { within } = places({ ...bounds, slow: { atOnce: 0, afterMs: 3000 } })
      const kept = start(within, 'one', true)
      await vi.advanceTimersByTimeAsync(20_000)
      expect(kept.state.outcome).toBe('runs')
      kept.end()
      await vi.advanceTimersByTimeAsync(0)
      expect(kept.state.outcome).toBe('done')
    })

    it('give their places back once', async () => {
      const { within } = places({ ...bounds, atOnce: 1, slow: { atOnce: 1, afterMs: 3000 } })
      for (let n = 0; n < 5; n++) {
        const slow = start(within, 'slow')
        await vi.advanceTimersByTimeAsync(3000)
        const [first, second] = [start(within, 'a'), start(within, 'b')]
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
