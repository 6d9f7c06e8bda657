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
})
