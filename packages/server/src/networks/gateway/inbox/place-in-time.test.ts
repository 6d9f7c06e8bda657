import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { placeInTime } from './place-in-time.ts'

const second = Date.UTC(2026, 2, 1, 12)

describe('placeInTime', () => {
  it.each([
    ['places a live message by its arrival', { atMs: second, arrivedMs: second + 250, lastMs: null }, second + 250],
    ['does not place it before its second', { atMs: second, arrivedMs: second - 400, lastMs: null }, second],
    ['does not place it after its second', { atMs: second, arrivedMs: second + 4000, lastMs: null }, second + 999],
    ['leaves what waited at its second', { atMs: second, arrivedMs: second + 60_001, lastMs: null }, second],
    ['keeps milliseconds', { atMs: second + 7, arrivedMs: second + 500, lastMs: null }, second + 7],
    ['places it after the one before', { atMs: second, arrivedMs: second + 250, lastMs: second + 250 }, second + 251],
    ['also after milliseconds', { atMs: second + 7, arrivedMs: second + 9, lastMs: second + 8 }, second + 9],
    ['leaves out-of-order ones alone', { atMs: second, arrivedMs: second + 99_000, lastMs: second + 10_001 }, second],
  ])('%s', (_name, event, placed) => {
    expect(placeInTime(event)).toBe(placed)
  })

  it('keeps live messages in the order of their arrival, near their own second', () => {
    const arrivals = fc.array(
      fc.record({
        // Many in one moment, some in later seconds.
        afterMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 3000 })),
        delayMs: fc.integer({ min: 0, max: 900 }),
      }),
      { minLength: 1, maxLength: 300 },
    )
    fc.assert(
      fc.property(arrivals, (messages) => {
        let writtenMs = second
        let arrivedMs = second
        let lastMs: number | null = null
        for (const { afterMs, delayMs } of messages) {
          writtenMs += afterMs
          arrivedMs = Math.max(arrivedMs, writtenMs + delayMs)
          const atMs = writtenMs - (writtenMs % 1000)
          const placed: number = placeInTime({ atMs, arrivedMs, lastMs })
          expect(placed).toBeGreaterThan(lastMs ?? 0)
          expect(placed).toBeGreaterThanOrEqual(atMs)
          expect(placed).toBeLessThan(atMs + 1000 + messages.length)
          lastMs = placed
        }
      }),
    )
  })
})
