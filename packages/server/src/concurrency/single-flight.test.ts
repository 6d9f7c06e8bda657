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
