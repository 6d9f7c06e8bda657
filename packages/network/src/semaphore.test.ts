import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { SemaphoreFull, type SemaphoreOptions, SemaphoreTimeout, semaphore } from './semaphore.ts'

/** Tasks that the test ends, in the order in which they began. */
function manualTasks(options: SemaphoreOptions) {
  const { run } = semaphore(options)
  const begun: string[] = []
  const ends = new Map<string, (error?: Error) => void>()
  const start = (key: string, name: string) =>
    run(key, () => {
      begun.push(name)
      return new Promise<string>((resolve, reject) => {
        ends.set(name, (error) => (error ? reject(error) : resolve(name)))
      })
    })
  return { begun, start, end: (name: string, error?: Error) => ends.get(name)?.(error) }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('a semaphore', () => {
  it('runs as many tasks as it has permits, and the next in their order', async () => {
    const { begun, start, end } = manualTasks({ limit: 2 })
    const all = ['a', 'b', 'c', 'd'].map((name) => start(`key of ${name}`, name))
    await settled()
    expect(begun).toEqual(['a', 'b'])
    end('b')
    await all[1]
    await settled()
    expect(begun).toEqual(['a', 'b', 'c'])
    end('c')
    await settled()
    end('a')
    end('d')
    expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd'])
  })

  it('skips keys that are at their limit', async () => {
    const { begun, start } = manualTasks({ limit: 3, limitPerKey: () => 1 })
    void start('busy', 'first')
    void start('busy', 'second')
    void start('other', 'third')
    await settled()
    expect(begun).toEqual(['first', 'third'])
  })

  it('gives the permit of a failed task to the next', async () => {
    const { start, end } = manualTasks({ limit: 1 })
    const [failing, after] = [start('a', 'failing'), start('a', 'after')]
    await settled()
    end('failing', new Error('it failed'))
    await expect(failing).rejects.toThrow('it failed')
    await settled()
    end('after')
    expect(await after).toBe('after')
  })

  it('refuses tasks beyond those that may wait, in all and of one key', async () => {
    const inAll = manualTasks({ limit: 1, maxQueued: 1 })
    void inAll.start('a', 'runs')
    void inAll.start('b', 'waits')
    await expect(inAll.start('c', 'refused')).rejects.toBeInstanceOf(SemaphoreFull)
    const ofKey = manualTasks({ limit: 1, maxQueuedPerKey: 1 })
    void ofKey.start('a', 'runs')
    void ofKey.start('a', 'waits')
    await expect(ofKey.start('a', 'refused')).rejects.toBeInstanceOf(SemaphoreFull)
    void ofKey.start('b', 'of another key')
    ofKey.end('runs')
    await settled()
    expect(ofKey.begun).toEqual(['runs', 'waits'])
  })

  it('keeps space in the queue for keys with fewer waiting tasks', async () => {
    const { start, begun, end } = manualTasks({ limit: 1, maxQueued: 3 })
    const greedy = ['runs', 'stays', 'second', 'last'].map((name) => start('greedy', name))
    const last = expect(greedy[3]).rejects.toBeInstanceOf(SemaphoreFull)
    void start('other', 'other')
    await last
    end('runs')
    await settled()
    expect(begun).toEqual(['runs', 'stays'])
  })

  it('admits the key with the lowest rank first', async () => {
    const ranks: Record<string, number> = { a: 0, b: 2, c: 1 }
    const { start, begun, end } = manualTasks({ limit: 1, rank: (key) => ranks[key] ?? 0 })
    for (const key of ['a', 'b', 'c']) void start(key, key)
    await settled()
    end('a')
    await settled()
    expect(begun).toEqual(['a', 'c'])
  })

  it('rejects what waits for a key, and admits after a limit has grown', async () => {
    let limit = 1
    const permits = semaphore({ limitPerKey: () => limit })
    await permits.acquire('a')
    const rejected = permits.acquire('a')
    permits.rejectQueued('a', new Error('slow'))
    await expect(rejected).rejects.toThrow('slow')
    const waiting = permits.acquire('a')
    expect([permits.running('a'), permits.queued('a')]).toEqual([1, 1])
    limit = 2
    permits.admit()
    await waiting
    expect([permits.running('a'), permits.queued('a')]).toEqual([2, 0])
  })

  it('throws when a permit is given back twice', async () => {
    const permits = semaphore({ limit: 1 })
    await permits.acquire('a')
    permits.release('a')
    expect(() => permits.release('a')).toThrow('No permit of a is taken.')
  })

  describe('with a time limit for the queue', () => {
    beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
    afterEach(() => void vi.useRealTimers())

    it('refuses a task that waited too long, and gives its permit to another', async () => {
      const { start, end, begun } = manualTasks({ limit: 1, queueTimeoutMs: 1000 })
      void start('a', 'runs')
      const late = expect(start('b', 'late')).rejects.toBeInstanceOf(SemaphoreTimeout)
      await vi.advanceTimersByTimeAsync(1000)
      await late
      void start('c', 'in time')
      end('runs')
      await settled()
      expect(begun).toEqual(['runs', 'in time'])
    })
  })

  it('admits the earliest task below its limits, and leaves none waiting that could run', async () => {
    const step = fc.record({ key: fc.constantFrom('a', 'b', 'c'), ends: fc.boolean() })
    const bounds = fc.record({ limit: fc.integer({ min: 1, max: 4 }), perKey: fc.integer({ min: 1, max: 3 }) })
    await fc.assert(
      fc.asyncProperty(bounds, fc.array(step, { maxLength: 40 }), async ({ limit, perKey }, steps) => {
        const permits = semaphore({ limit, limitPerKey: () => perKey })
        const model = { running: [] as string[], waiting: [] as { key: string; n: number }[] }
        const [begun, expected] = [[] as number[], [] as number[]]
        const fits = (key: string) =>
          model.running.length < limit && model.running.filter((one) => one === key).length < perKey
        for (const [n, { key, ends }] of steps.entries()) {
          const held = model.running.indexOf(key)
          if (ends && held >= 0) {
            model.running.splice(held, 1)
            permits.release(key)
          } else {
            model.waiting.push({ key, n })
            void permits.acquire(key).then(() => begun.push(n))
          }
          for (let next = model.waiting.find((one) => fits(one.key)); next; ) {
            model.running.push(next.key)
            model.waiting.splice(model.waiting.indexOf(next), 1)
            expected.push(next.n)
            next = model.waiting.find((one) => fits(one.key))
          }
          await settled()
        }
        expect(begun).toEqual(expected)
      }),
      { numRuns: 60 },
    )
  })
})
