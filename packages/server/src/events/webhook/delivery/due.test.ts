import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { dueTimes } from './due.ts'

const start = new Date('2026-03-01T12:00:00Z')
const after = (seconds: number) => new Date(start.getTime() + seconds * 1000)

beforeEach(() => vi.useFakeTimers({ now: start }))
afterEach(() => vi.useRealTimers())

describe('what is due', () => {
  it('is called for at its time, the earliest first, however it was added', () => {
    const wake = vi.fn()
    const due = dueTimes({ now: () => new Date() }, wake)
    for (const seconds of [20, 5, 10]) due.add(after(seconds))
    vi.advanceTimersByTime(4999)
    expect(wake).not.toHaveBeenCalled()
    for (const [at, ms] of [1, 5000, 10_000].entries()) {
      vi.advanceTimersByTime(ms)
      expect(wake).toHaveBeenCalledTimes(at + 1)
    }
    vi.advanceTimersByTime(3_600_000)
    expect(wake).toHaveBeenCalledTimes(3)
  })

  it('is called for once where many are due at nearly the same moment', () => {
    const wake = vi.fn()
    const due = dueTimes({ now: () => new Date() }, wake)
    for (let n = 0; n < 50; n++) due.add(after(5 + n / 1000))
    vi.advanceTimersByTime(60_000)
    expect(wake.mock.calls.length).toBeLessThanOrEqual(2)
  })

  it('is called for at once when its time is over, and not at all after the end', () => {
    const wake = vi.fn()
    const due = dueTimes({ now: () => new Date() }, wake)
    due.add(after(-30))
    vi.advanceTimersByTime(1)
    expect(wake).toHaveBeenCalledTimes(1)
    due.add(after(5))
    due.stop()
    vi.advanceTimersByTime(60_000)
    expect(wake).toHaveBeenCalledTimes(1)
  })
})
