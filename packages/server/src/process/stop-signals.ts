/** What of a process its signals need. */
export interface SignalledProcess {
  on(signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void): unknown
  exit(code: number): unknown
}

/** Some shells and npm deliver one Ctrl-C twice. */
const sameRequestMs = 2000
const exitWithinMs = 25_000

/**
 * Calls `stop` at the first SIGINT, SIGTERM or SIGHUP and exits with 0 when it is done; with 1 when it failed, when it
 * took 25 s, and at once when another signal comes more than 2 s after the first. `nowMs` is a clock that never goes
 * back.
 */
export function onStopSignals(
  target: SignalledProcess,
  stop: (signal: string) => Promise<void>,
  nowMs: () => number = () => performance.now(),
): void {
  let beganAtMs: number | null = null
  function heard(signal: string): void {
    if (beganAtMs !== null) {
      if (nowMs() - beganAtMs > sameRequestMs) target.exit(1)
      return
    }
    beganAtMs = nowMs()
    setTimeout(() => target.exit(1), exitWithinMs).unref()
    stop(signal).then(
      () => target.exit(0),
      () => target.exit(1),
    )
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) target.on(signal, heard)
}
