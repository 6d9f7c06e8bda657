import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { joinCalls } from './database-signals.ts'

it('a burst of signals leads to one run at a time, and to one after the last signal', async () => {
  let [runs, finish] = [0, () => undefined as unknown]
  const signal = joinCalls(() => {
    runs++
    return new Promise((resolve, reject) => {
      finish = () => (runs === 1 ? reject(new Error('the database is away')) : resolve(undefined))
    })
  })
  for (let signals = 0; signals < 100; signals++) signal()
  expect(runs).toBe(1)
  finish()
  await nextTurn()
  expect(runs).toBe(2)
  finish()
  await nextTurn()
  expect(runs).toBe(2)
  signal()
  expect(runs).toBe(3)
})
