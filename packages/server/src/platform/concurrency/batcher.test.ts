import { afterEach, describe, expect, it, vi } from 'vitest'
import { batcher, sharedBatcher } from './batcher.ts'

/** Calls that a test ends, with their items. */
function held() {
  const calls: { items: readonly string[]; end(): void; fail(error: Error): void }[] = []
  const run = (items: readonly string[]) =>
    new Promise<readonly string[]>((resolve, reject) => {
      calls.push({ items, end: () => resolve(items.map((item) => `${item}!`)), fail: reject })
    })
  return { calls, run }
}

const tick = () => new Promise((resolve) => setImmediate(resolve))
const atOnce = { maxItems: 3, waitMs: 0, maxInFlight: 1 }

afterEach(() => {
  vi.useRealTimers()
})

describe('items of one moment', () => {
  it('are one call, and each caller gets its own result', async () => {
    const { calls, run } = held()
    const submit = batcher(run, atOnce)
    const results = Promise.all(['a', 'b'].map(submit))
    await tick()
    expect(calls.map(({ items }) => items)).toEqual([['a', 'b']])
    calls[0]?.end()
    expect(await results).toEqual(['a!', 'b!'])
  })

  it('wait for the next call while one runs', async () => {
    const { calls, run } = held()
    const submit = batcher(run, atOnce)
    const first = submit('a')
    await tick()
    const late = Promise.all(['b', 'c', 'd', 'e'].map(submit))
    await tick()
    expect(calls).toHaveLength(1)
    calls[0]?.end()
    await first
    expect(calls[1]?.items).toEqual(['b', 'c', 'd'])
    calls[1]?.end()
    await tick()
    expect(calls[2]?.items).toEqual(['e'])
    calls[2]?.end()
    expect(await late).toEqual(['b!', 'c!', 'd!', 'e!'])
  })

  it('fail together, and the next call is not affected', async () => {
    const { calls, run } = held()
    const submit = batcher(run, atOnce)
    const failing = Promise.allSettled(['a', 'b'].map(submit))
    await tick()
    calls[0]?.fail(new Error('away'))
    expect((await failing).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    const next = submit('c')
    await tick()
    calls[1]?.end()
    expect(await next).toBe('c!')
  })

  it('of one conflict key follow each other, others go ahead', async () => {
    const { calls, run } = held()
    const submit = batcher(run, { ...atOnce, conflictKey: (item) => item.charAt(0) })
    const results = Promise.all(['a1', 'a2', 'b1'].map(submit))
    await tick()
    expect(calls[0]?.items).toEqual(['a1', 'b1'])
    calls[0]?.end()
    await tick()
    expect(calls[1]?.items).toEqual(['a2'])
    calls[1]?.end()
    expect(await results).toEqual(['a1!', 'a2!', 'b1!'])
  })

  it('wait for a call that hangs for a second at most', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { calls, run } = held()
    const submit = batcher(run, atOnce)
    void submit('hangs')
    await tick()
    const next = submit('next')
    await tick()
    vi.advanceTimersByTime(999)
    expect(calls).toHaveLength(1)
    vi.advanceTimersByTime(1)
    expect(calls[1]?.items).toEqual(['next'])
    // The one that hung must not free its slot twice.
    calls[0]?.end()
    await tick()
    const third = submit('third')
    await tick()
    expect(calls).toHaveLength(2)
    calls[1]?.end()
    await next
    calls[2]?.end()
    expect(await third).toBe('third!')
  })

  it('of one database are never mixed with those of another', async () => {
    const seen: [object, readonly string[]][] = []
    const submit = sharedBatcher(async (of: object, items: readonly string[]) => {
      seen.push([of, items])
      return items
    })
    const [one, other] = [{ name: 'one' }, { name: 'other' }]
    await Promise.all([submit(one, 'a'), submit(other, 'b'), submit(one, 'c')])
    expect(seen).toEqual([
      [one, ['a', 'c']],
      [other, ['b']],
    ])
  })
})
