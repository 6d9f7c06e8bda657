import { describe, expect, it } from 'vitest'
import { retryAt } from './outcome.ts'

const at = new Date('2026-03-01T12:00:00.000Z')

function waitMs(attempts: number, random: number): number | null {
  const next = retryAt(attempts, at, random)
  return next && next.getTime() - at.getTime()
}

describe('when a delivery is tried again', () => {
  it.each([
    [1, 4_500, 5_000, 5_500],
    [2, 9_000, 10_000, 11_000],
    [3, 18_000, 20_000, 22_000],
    [4, 36_000, 40_000, 44_000],
  ])('waits after attempt %i between %i and %3$i ms', (attempts, shortest, usual, longest) => {
    expect([waitMs(attempts, 0), waitMs(attempts, 0.5), waitMs(attempts, 1)]).toEqual([shortest, usual, longest])
  })

  it('gives up after the fifth attempt', () => {
    expect(waitMs(5, 0.5)).toBeNull()
    expect(waitMs(6, 0.5)).toBeNull()
  })
})
