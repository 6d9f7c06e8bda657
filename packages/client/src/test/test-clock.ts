import { setImmediate } from 'node:timers/promises'
import type { Clock } from '../clock.ts'

/** A clock that moves only on request. Waits between attempts end at once and are recorded. */
export class TestClock implements Clock {
  /** Every wait between attempts, in milliseconds. */
  readonly waits: number[] = []
  /** The result of random(). */
  chance = 0.5
  /** Called inside each wait, before it ends. */
  duringWait: () => void = () => {}
  #nowMs = Date.parse('2026-01-01T00:00:00Z')
  #onTimer: () => void = () => {}
  readonly #timers = new Set<{ readonly atMs: number; readonly fire: () => void }>()

  now(): number {
    return this.#nowMs
  }

  random(): number {
    return this.chance
  }

  /** Resolves when the next timeout is set. */
  nextTimer(): Promise<void> {
    return new Promise((resolve) => {
      this.#onTimer = resolve
    })
  }

  timer(ms: number, fire: () => void): () => void {
    this.#onTimer()
    const entry = { atMs: this.#nowMs + ms, fire }
    this.#timers.add(entry)
    return () => this.#timers.delete(entry)
  }

  async wait(ms: number): Promise<void> {
    this.waits.push(ms)
    this.advance(ms)
    this.duringWait()
    await setImmediate()
  }

  /** Moves the clock by `ms` and fires the timers that are due. */
  advance(ms: number): void {
    this.#nowMs += ms
    for (const entry of [...this.#timers]) {
      if (entry.atMs > this.#nowMs) continue
      this.#timers.delete(entry)
      entry.fire()
    }
  }
}
