import { setImmediate } from 'node:timers/promises'

/** The longest time that one task keeps the event loop to itself, apart from its present step. */
const sliceMs = 8

/**
 * Returns a function to await between the steps of a long task: it lets other requests run when a slice of time is
 * over.
 */
export function yielding(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < sliceMs) return
    await setImmediate()
    since = performance.now()
  }
}

let lastTick: Promise<void> = Promise.resolve()

/**
 * Resolves in a tick of the event loop for the caller alone, so that the work of concurrent calls is not one long step.
 */
export function ownTick(): Promise<void> {
  lastTick = lastTick.then(() => setImmediate())
  return lastTick
}
