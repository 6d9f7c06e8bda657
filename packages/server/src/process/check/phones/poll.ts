import { setTimeout as wait } from 'node:timers/promises'

const everyMs = 100

/** Reads until `isDone`, or until `withinMs` have passed. Returns what was read last. */
export async function readUntil<T>(
  read: () => Promise<T>,
  isDone: (value: T) => boolean,
  withinMs: number,
): Promise<T> {
  const endMs = performance.now() + withinMs
  for (;;) {
    const value = await read()
    if (isDone(value) || performance.now() >= endMs) return value
    await wait(everyMs)
  }
}
