/**
 * Returns the time for codes of authenticators, from the machine's clock: a phone cannot follow the service time, which
 * tests and the simulator move.
 */
export function machineNowMs(): number {
  return Date.now()
}
