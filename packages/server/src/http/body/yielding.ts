import { setImmediate } from 'node:timers/promises'

/** The longest time that one body keeps the event loop to itself, but for the part that it is at. */
const sliceMs = 8

/** Makes a function that lets other requests run when this one has worked for some milliseconds since it did so last. */
export function yielding(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < sliceMs) return
    await setImmediate()
    since = performance.now()
  }
}
