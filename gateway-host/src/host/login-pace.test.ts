import { expect, it } from 'vitest'
import { LoginPace } from './login-pace.ts'

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
