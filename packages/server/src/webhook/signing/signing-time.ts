/**
 * The time that a signature carries, in whole Unix seconds: the machine's own clock. Receivers compare it with theirs
 * and refuse five minutes of difference, so it must not follow the service's clock, which tests and the simulator move.
 */
export function signingTimeSeconds(): number {
  return Math.floor(Date.now() / 1000)
}
