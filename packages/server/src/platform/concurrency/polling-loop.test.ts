import { pino } from 'pino'
import { describe, expect, it, vi } from 'vitest'
import { startPollingLoop } from './polling-loop.ts'

function logLines() {
  const lines: { msg: string }[] = []
  const log = pino({ level: 'info' }, { write: (line) => void lines.push(JSON.parse(line)) })
  return { log, messages: () => lines.map(({ msg }) => msg) }
}

/** A loop whose polls the test follows one by one; `result` returns the outcome of each. */
function loopOf(result: (tick: number) => boolean | number, longestIdleMs?: () => number) {
  const { log, messages } = logLines()
  let turns = 0
  let notify = () => {}
  const loop = startPollingLoop({
    name: 'the work',
    log,
    minIntervalMs: 0,
    ...(longestIdleMs && { longestIdleMs }),
    poll: async () => {
      turns += 1
      notify()
      return result(turns)
    },
  })
  const reached = (tick: number) =>
    new Promise<void>((resolve) => {
      notify = () => turns >= tick && resolve()
      notify()
    })
  return { loop, messages, reached, turns: () => turns }
}

describe('a polling loop', () => {
  it('polls back to back while there is work, and then sleeps until it is woken', async () => {
    const { loop, reached, turns } = loopOf((tick) => tick < 50)
    await reached(50)
    loop.wake()
    await reached(51)
    await loop.stop()
    expect(turns()).toBeGreaterThanOrEqual(51)
  })

  it('keeps to its shortest interval when it is woken, and not when it is hurried', async () => {
    vi.useFakeTimers()
    try {
      let polls = 0
      const poll = async () => {
        polls += 1
        return false
      }
      const loop = startPollingLoop({ name: 'the work', log: logLines().log, minIntervalMs: 200, poll })
      const after = async (ms: number) => {
        await vi.advanceTimersByTimeAsync(ms)
        return polls
      }
      expect(await after(10)).toBe(1)
      loop.wake()
      expect([await after(100), await after(100)]).toEqual([1, 2])
      loop.hurry()
      expect(await after(0)).toBe(3)
      expect(await after(100)).toBe(3)
      await loop.stop()
    } finally {
      vi.useRealTimers()
    }
  })

  it('waits for a quarter of a second at first, and for a second at most while there is no work', async () => {
    vi.useFakeTimers()
    try {
      const { loop, turns } = loopOf(() => false)
      const polls: number[] = []
      for (let passedMs = 0; passedMs < 5000; passedMs += 50) {
        await vi.advanceTimersByTimeAsync(50)
        polls.push(turns())
      }
      const after = (ms: number) => polls[ms / 50 - 1]
      expect([after(200), after(300), after(700), after(800), after(1700), after(1800)]).toEqual([1, 2, 2, 3, 3, 4])
      expect(after(5000)).toBe(7)
      await loop.stop()
    } finally {
      vi.useRealTimers()
    }
  })

  it('waits as long as `longestIdleMs` returns, which may change from poll to poll', async () => {
    vi.useFakeTimers()
    try {
      let longestMs = 3000
      const { loop, turns } = loopOf(
        () => false,
        () => longestMs,
      )
      await vi.advanceTimersByTimeAsync(4000)
      const before = turns()
      await vi.advanceTimersByTimeAsync(9000)
      expect(turns() - before).toBe(3)
      longestMs = 1000
      await vi.advanceTimersByTimeAsync(3000)
      const after = turns()
      await vi.advanceTimersByTimeAsync(9000)
      expect(turns() - after).toBe(9)
      await loop.stop()
    } finally {
      vi.useRealTimers()
    }
  })

  it('does not lose a signal that arrives during a poll', async () => {
    vi.useFakeTimers()
    try {
      const { loop, turns } = loopOf((tick) => {
        if (tick === 2) loop.wake()
        return false
      })
      loop.wake()
      await vi.advanceTimersByTimeAsync(10)
      expect(turns()).toBe(3)
      await vi.advanceTimersByTimeAsync(100)
      expect(turns()).toBe(3)
      await loop.stop()
    } finally {
      vi.useRealTimers()
    }
  })

  it('continues after failures and logs each kind once until it works again', async () => {
    vi.useFakeTimers()
    try {
      const failures: Record<number, string> = { 1: 'away', 2: 'away', 3: 'full', 5: 'away' }
      const { loop, messages, turns } = loopOf((tick) => {
        const message = failures[tick]
        if (message) throw new Error(message)
        return true
      })
      while (turns() < 6) await vi.advanceTimersByTimeAsync(100)
      await loop.stop()
      expect(messages()).toEqual(Array(3).fill('the work failed and is tried again'))
    } finally {
      vi.useRealTimers()
    }
  })

  it('logs a restart of the database once, whichever error its phases give', async () => {
    vi.useFakeTimers()
    try {
      const phases = [{ code: '57P01' }, { message: 'Connection terminated unexpectedly' }, { code: 'ECONNREFUSED' }]
      const { loop, messages, turns } = loopOf((tick) => {
        const phase = [...phases, { code: '57P03' }][tick - 1]
        if (phase) throw Object.assign(new Error('away'), phase)
        return true
      })
      while (turns() < 6) await vi.advanceTimersByTimeAsync(100)
      await loop.stop()
      expect(messages()).toEqual(['the work failed and is tried again'])
    } finally {
      vi.useRealTimers()
    }
  })

  it('waits after each failure for twice as long, even when it is woken or hurried', async () => {
    vi.useFakeTimers()
    try {
      const { loop, turns } = loopOf(() => {
        throw new Error('away')
      })
      const polls: number[] = []
      for (let passedMs = 0; passedMs < 4000; passedMs += 100) {
        loop.wake()
        loop.hurry()
        await vi.advanceTimersByTimeAsync(100)
        polls.push(turns())
      }
      const after = (ms: number) => polls[ms / 100 - 1]
      expect([after(400), after(600), after(1400), after(1700), after(3400), after(3700)]).toEqual([1, 2, 2, 3, 3, 4])
      await loop.stop()
    } finally {
      vi.useRealTimers()
    }
  })

  it('polls again when the next work is due, or when it is woken', async () => {
    vi.useFakeTimers()
    try {
      const { loop, turns } = loopOf(() => 2000)
      await vi.advanceTimersByTimeAsync(1900)
      expect(turns()).toBe(1)
      await vi.advanceTimersByTimeAsync(200)
      expect(turns()).toBe(2)
      loop.wake()
      await vi.advanceTimersByTimeAsync(10)
      expect(turns()).toBe(3)
      await loop.stop()
    } finally {
      vi.useRealTimers()
    }
  })

  it('does not poll again once it is stopped', async () => {
    const { loop, reached, turns } = loopOf(() => true)
    await reached(3)
    await loop.stop()
    const before = turns()
    loop.wake()
    await new Promise((resolve) => setImmediate(resolve))
    expect(turns()).toBe(before)
  })
})
