import { pino } from 'pino'
import { describe, expect, it, vi } from 'vitest'
import { startPollingLoop } from './polling-loop.ts'

function logLines() {
  const lines: { msg: string }[] = []
  const log = pino({ level: 'info' }, { write: (line) => void lines.push(JSON.parse(line)) })
  return { log, messages: () => lines.map(({ msg }) => msg) }
}

/** A loop whose looks the test follows one by one; `result` says what each of them does. */
function loopOf(result: (turn: number) => boolean, longestIdleMs?: () => number) {
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
  const reached = (turn: number) =>
    new Promise<void>((resolve) => {
      notify = () => turns >= turn && resolve()
      notify()
    })
  return { loop, messages, reached, turns: () => turns }
}

describe('a background loop', () => {
  it('looks again and again while there is work, and then rests until it is woken', async () => {
    const { loop, reached, turns } = loopOf((turn) => turn < 50)
    await reached(50)
    loop.wake()
    await reached(51)
    await loop.stop()
    expect(turns()).toBeGreaterThanOrEqual(51)
  })

  it('rests a quarter of a second at first, and a second at most while nothing comes', async () => {
    vi.useFakeTimers()
    try {
      const { loop, turns } = loopOf(() => false)
      const looks: number[] = []
      for (let passedMs = 0; passedMs < 5000; passedMs += 50) {
        await vi.advanceTimersByTimeAsync(50)
        looks.push(turns())
      }
      const after = (ms: number) => looks[ms / 50 - 1]
      expect([after(200), after(300), after(700), after(800), after(1700), after(1800)]).toEqual([1, 2, 2, 3, 3, 4])
      expect(after(5000)).toBe(7)
      await loop.stop()
    } finally {
      vi.useRealTimers()
    }
  })

  it('rests as long as it is told to, which may change from look to look', async () => {
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

  it('does not lose a signal that comes while it is looking', async () => {
    vi.useFakeTimers()
    try {
      const { loop, turns } = loopOf((turn) => {
        if (turn === 2) loop.wake()
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

  it('goes on after failures and logs each kind once until it works again', async () => {
    const failures: Record<number, string> = { 1: 'away', 2: 'away', 3: 'full', 5: 'away' }
    const { loop, messages, reached } = loopOf((turn) => {
      const message = failures[turn]
      if (message) throw new Error(message)
      return true
    })
    for (let turn = 1; turn <= 6; turn++) {
      await reached(turn)
      loop.wake()
    }
    await loop.stop()
    expect(messages()).toEqual(Array(3).fill('the work failed and is tried again'))
  })

  it('does not look again once it is stopped', async () => {
    const { loop, reached, turns } = loopOf(() => true)
    await reached(3)
    await loop.stop()
    const before = turns()
    loop.wake()
    await new Promise((resolve) => setImmediate(resolve))
    expect(turns()).toBe(before)
  })
})
