import { randomUUID } from 'node:crypto'

let lastMs = 0
/** Orders the ids of one millisecond, in 12 bits. */
let counter = 0

/**
 * Returns a new id: a UUID of version 7, which begins with its time in milliseconds. Those of one process ascend, also
 * within a millisecond and when the clock of the machine is set back.
 */
export function newId(): string {
  const now = Date.now()
  counter = now > lastMs ? 0 : counter + 1
  lastMs = Math.max(lastMs, now)
  if (counter > 4095) [lastMs, counter] = [lastMs + 1, 0]
  const time = lastMs.toString(16).padStart(12, '0')
  const order = counter.toString(16).padStart(3, '0')
  // The rest is random; Node keeps randomness for many UUIDs ready.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${order}${randomUUID().slice(18)}`
}
