/**
 * Returns the time of a signature in whole Unix seconds, from the machine's clock. Receivers compare it with their own
 * clock and refuse a difference of five minutes, so it cannot follow service time, which tests and the simulator move.
 */
export function signingTimeSeconds(): number {
  return Math.floor(Date.now() / 1000)
}
