import { createHash } from 'node:crypto'

/** Numbers in [0, 1) that always come out the same for the same seed and keys. Each index has one use. */
export type Draws = (index: number) => number

/** Draws for what the keys name. One digest feeds eight indexs, 0 to 7. */
export function draws(seed: number, ...keys: readonly (string | number)[]): Draws {
  const digest = digestOf(seed, keys)
  return (index) => digest.readUInt32BE(index * 4) / 2 ** 32
}

/** A whole number between `low` and `high`, both included. */
export function between(low: number, high: number, draw: number): number {
  return low + Math.floor(draw * (high - low + 1))
}

/** `length` characters of `alphabet`, the same for the same keys; at most 32. */
export function code(alphabet: string, length: number, seed: number, ...keys: readonly (string | number)[]): string {
  const digest = digestOf(seed, keys)
  return Array.from({ length }, (_, index) => alphabet[(digest[index] ?? 0) % alphabet.length]).join('')
}

function digestOf(seed: number, keys: readonly (string | number)[]): Buffer {
  return createHash('sha256')
    .update([seed, ...keys].join('\n'))
    .digest()
}

/**
 * How long something lasts at a speed: at 60 a minute takes a second, at 0 nothing takes time. It holds for what people
 * and the network do with messages.
 */
export function scaled(ms: number, speed: number): number {
  return speed === 0 ? 0 : ms / speed
}

/**
 * How long a state of a link lasts. At speed 0 it keeps its length in service time: a link that drops after 30 s would
 * otherwise never be up, and one that flaps would do so without an end.
 */
export function lasting(ms: number, speed: number): number {
  return speed === 0 ? ms : ms / speed
}
