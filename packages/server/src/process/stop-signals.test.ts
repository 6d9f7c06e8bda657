import { describe, expect, it, vi } from 'vitest'
import { onStopSignals, type SignalledProcess } from './stop-signals.ts'

function start(stop: () => Promise<void>) {
  const codes: number[] = []
  const listeners = new Map<string, (signal: NodeJS.Signals) => void>()
  let nowMs = 0
  let stops = 0
  const target: SignalledProcess = {
    on: (signal, listener) => listeners.set(signal, listener),
    exit: (code) => codes.push(code),
  }
  function counted(): Promise<void> {
    stops++
    return stop()
  }
  onStopSignals(target, counted, () => nowMs)
  return {
    codes,
    stops: () => stops,
    signal(signal: NodeJS.Signals, atMs: number) {
      nowMs = atMs
      listeners.get(signal)?.(signal)
    },
  }
}

const hangs = () => new Promise<void>(() => undefined)

describe('a process that gets a stop signal', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('stops once and exits with 0 at %s', async (signal) => {
    const { codes, stops, signal: send } = start(async () => undefined)
    send(signal, 0)
    await vi.waitFor(() => expect(codes).toEqual([0]))
    expect(stops()).toBe(1)
  })

  it('exits with 1 when stopping fails', async () => {
    const { codes, signal } = start(() => Promise.reject(new Error('no')))
    signal('SIGTERM', 0)
    await vi.waitFor(() => expect(codes).toEqual([1]))
  })

  it('takes a repeat within 2 s for the same request, and exits at once at a later one', () => {
    const { codes, stops, signal } = start(hangs)
    signal('SIGINT', 1000)
    signal('SIGINT', 1050)
    signal('SIGTERM', 3000)
    expect(codes).toEqual([])
    signal('SIGINT', 3001)
    expect(codes).toEqual([1])
    expect(stops()).toBe(1)
  })

  it('exits after 25 s although something hangs', () => {
    vi.useFakeTimers()
    try {
      const { codes, signal } = start(hangs)
      signal('SIGTERM', 0)
      vi.advanceTimersByTime(24_999)
      expect(codes).toEqual([])
      vi.advanceTimersByTime(1)
      expect(codes).toEqual([1])
    } finally {
      vi.useRealTimers()
    }
  })
})
