/** A measurement shorter than this is repeated until it is as long. */
const shortestMs = 2
/** A baseline as long as this is measured once. */
const longMs = 20
const rounds = 6

/**
 * Returns the CPU time of one call in milliseconds: the least of several rounds, because other work can only add to it.
 */
export function leastCpu(work: () => unknown): Promise<number> {
  return measure(work, ({ ms }) => ms >= longMs)
}

/**
 * Returns the same of work that may take `allowed` milliseconds: the first round within them, else the least of all.
 */
export function cpuWithin(work: () => unknown, allowed: number): Promise<number> {
  return measure(work, ({ least }) => least < allowed)
}

async function measure(
  work: () => unknown,
  isEnough: (measured: { readonly ms: number; readonly least: number }) => boolean,
): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  let calls = 1
  for (let round = 0; round < rounds; round++) {
    const start = process.cpuUsage()
    for (let call = 0; call < calls; call++) await work()
    const { user, system } = process.cpuUsage(start)
    const ms = (user + system) / 1000
    least = Math.min(least, ms / calls)
    if (isEnough({ ms, least })) break
    if (ms < shortestMs) calls = Math.min(1000, Math.ceil((calls * shortestMs) / Math.max(ms, 0.05)))
  }
  return least
}
