import fc from 'fast-check'
import { expect, it } from 'vitest'
import { singleFlight } from './single-flight.ts'

/** Work that a test ends, one run after the other. */
function heldWork() {
  const begun: string[] = []
  const ends: (() => void)[] = []
  const work = (key: string) => {
    begun.push(key)
    return new Promise<void>((resolve) => ends.push(resolve))
  }
  return { begun, work, end: () => ends.shift()?.() }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

it('runs one at a time of a key, and once more for all calls during a run', async () => {
  const { begun, work, end } = heldWork()
  const flight = singleFlight(work)
  const runs = [flight.run('a'), flight.run('b')]
  await settled()
  runs.push(flight.run('a'), flight.run('a'))
  expect(begun).toEqual(['a', 'b'])
  end()
  await settled()
  expect(begun).toEqual(['a', 'b', 'a'])
  end()
  end()
  await Promise.all(runs)
  expect(begun).toEqual(['a', 'b', 'a'])
})

it('starts no further run once it is stopped, and waits for the one under way', async () => {
  const { begun, work, end } = heldWork()
  const flight = singleFlight(work)
  void flight.run('a')
  await settled()
  void flight.run('a')
  let isStopped = false
  const stop = flight.stop().then(() => {
    isStopped = true
  })
  await settled()
  expect(isStopped).toBe(false)
  end()
  await stop
  expect(begun).toEqual(['a'])
})

it('runs each key as often as its calls need, one at a time, whatever their order', async () => {
  const step = fc.record({ key: fc.constantFrom('a', 'b'), ends: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const begun: string[] = []
      const ends = new Map<string, () => void>()
      const flight = singleFlight((key: string) => {
        expect(ends.has(key)).toBe(false)
        begun.push(key)
        return new Promise<void>((resolve) => ends.set(key, resolve))
      })
      const expected: string[] = []
      const running = new Set<string>()
      const wanted = new Set<string>()
      for (const { key, ends: isEnd } of steps) {
        if (isEnd) {
          const end = ends.get(key)
          ends.delete(key)
          end?.()
          if (!wanted.delete(key)) running.delete(key)
          else expected.push(key)
        } else {
          void flight.run(key)
          if (running.has(key)) wanted.add(key)
          else expected.push(key)
          running.add(key)
        }
        await settled()
      }
      expect(begun).toEqual(expected)
    }),
    { numRuns: 60 },
  )
})
