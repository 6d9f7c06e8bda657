import { describe, expect, it, vi } from 'vitest'
import { systemClock } from './clock.ts'

describe('systemClock', () => {
  it('ends a wait at once on abort, and leaves no timer', async () => {
    vi.useFakeTimers()
    try {
      const controller = new AbortController()
      const wait = systemClock.wait(30_000, controller.signal)
      expect(vi.getTimerCount()).toBe(1)
      controller.abort()
      await wait
      expect(vi.getTimerCount()).toBe(0)
      await systemClock.wait(30_000, controller.signal)
      expect(vi.getTimerCount()).toBe(0)
    } finally {
      vi.useRealTimers()
    }
  })

  it('waits and fires when due, and a cancelled timer never fires', async () => {
    vi.useFakeTimers()
    try {
      const fired: string[] = []
      void systemClock.wait(100, undefined).then(() => fired.push('wait'))
      systemClock.timer(50, () => fired.push('timer'))
      systemClock.timer(60, () => fired.push('cancelled'))()
      await vi.advanceTimersByTimeAsync(99)
      expect(fired).toEqual(['timer'])
      await vi.advanceTimersByTimeAsync(1)
      expect(fired).toEqual(['timer', 'wait'])
    } finally {
      vi.useRealTimers()
    }
  })
})
