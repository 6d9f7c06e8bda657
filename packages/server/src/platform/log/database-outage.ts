import type { Log } from './log-events.ts'

/** What a pool of connections reports. */
export interface OutageReports {
  /** A connection was lost, or could not be opened. */
  readonly lost: (message: string) => void
  /** The database responded to a statement. */
  readonly responded: () => void
}

/**
 * Returns what logs an outage of the database as two lines: one when the first connection is lost, and one when the
 * database responds again, with the connections that failed until then. Before the first response it logs nothing: a
 * start that fails says so at its end. `nowMs` is a time in milliseconds.
 */
export function outageReports(log: Log, nowMs: () => number = () => performance.now()): OutageReports {
  let hasResponded = false
  let outage: { readonly sinceMs: number; failures: number } | null = null
  return {
    lost(message) {
      if (!hasResponded) return
      if (outage) {
        outage.failures += 1
        return
      }
      outage = { sinceMs: nowMs(), failures: 1 }
      // The lines below the first one are the stack of the driver.
      const [line = ''] = message.split('\n')
      log.warn({ event: 'database_connection_lost' }, line)
    },
    responded() {
      hasResponded = true
      if (!outage) return
      const seconds = Math.round((nowMs() - outage.sinceMs) / 1000)
      log.info({ event: 'database_back', seconds, failures: outage.failures }, 'the database responds again')
      outage = null
    },
  }
}
