import { expect, it } from 'vitest'
import { DirectPace, LoginPace } from './login-pace.ts'

it('lets the logins of one second begin at once, and spaces the others', () => {
  let nowMs = 0
  const pace = new LoginPace(5, () => nowMs)
  const take = (count: number) => Array.from({ length: count }, () => Math.round(pace.take()))
  expect(take(8)).toEqual([0, 0, 0, 0, 0, 200, 400, 600])
  nowMs = 600
  expect(take(1)).toEqual([200])
  nowMs = 10_000
  expect(take(6)).toEqual([0, 0, 0, 0, 0, 200])
})

it('lets a host take some numbers without a proxy at once, and the others over the window', () => {
  let nowMs = 0
  const pace = new DirectPace(
    { capacity: 250, windowMs: 300_000 },
    () => 0.5,
    () => nowMs,
  )
  expect(pace.room).toBe(20)
  pace.take(20)
  expect(pace.room).toBe(0)
  let taken = 20
  for (; nowMs < 300_000; nowMs += 1000) {
    const { room } = pace
    expect(room).toBeLessThanOrEqual(1)
    pace.take(room)
    taken += room
  }
  expect(taken).toBeGreaterThan(245)
  nowMs += 300_000
  expect(pace.room).toBe(20)
})

it('limits nothing without a window', () => {
  const pace = new DirectPace({ capacity: 250, windowMs: 0 })
  pace.take(1000)
  expect(pace.room).toBe(Number.POSITIVE_INFINITY)
})
