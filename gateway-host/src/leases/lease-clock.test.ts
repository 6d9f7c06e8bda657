import { expect, it } from 'vitest'
import { LeaseClock } from './lease-clock.ts'

it('is safe for two thirds of a lease, and again after a renewal', async () => {
  let nowMs = 0
  const clock = new LeaseClock(15_000, () => nowMs)
  nowMs = 9999
  expect(clock.isSafe).toBe(true)
  await clock.safe()
  nowMs = 10_000
  expect(clock.isSafe).toBe(false)
  let isSafe = false
  const waiting = clock.safe().then(() => {
    isSafe = true
  })
  await Promise.resolve()
  expect(isSafe).toBe(false)
  clock.renewed(nowMs)
  await waiting
  expect(clock.isSafe).toBe(true)
})

it('does not count the time that a renewal took', () => {
  let nowMs = 0
  const clock = new LeaseClock(15_000, () => nowMs)
  nowMs = 20_000
  clock.renewed(5000)
  expect(clock.isSafe).toBe(false)
})
