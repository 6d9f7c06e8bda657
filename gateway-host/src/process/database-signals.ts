import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'

const channel = 'msgctl_wake'
const reconnectMs = 1000

/** Returns a call of `work` that runs once at a time: all calls that come during a run lead to one more. */
export function joinCalls(work: () => Promise<unknown>): () => void {
  let [isRunning, isWanted] = [false, false]
  async function run(): Promise<void> {
    isRunning = true
    while (isWanted) {
      isWanted = false
      await work().catch(() => undefined)
    }
    isRunning = false
  }
  return () => {
    isWanted = true
    if (!isRunning) void run()
  }
}

/**
 * Calls `listener` when a server changes what it wants of a number, once for a burst of changes. Signals only shorten
 * waits: hosts also poll.
 */
export function listenForSignals(databaseUrl: string, listener: () => Promise<unknown>): { stop(): Promise<void> } {
  const changed = joinCalls(listener)
  let client: pg.Client | null = null
  let isStopped = false

  async function run(): Promise<void> {
    while (!isStopped) {
      client = new pg.Client({ connectionString: databaseUrl, application_name: 'msgctl gateway host signals' })
      const ended = new Promise<void>((resolve) => {
        client?.on('error', () => resolve())
        client?.on('end', () => resolve())
      })
      client.on('notification', ({ payload }) => {
        if (payload?.endsWith(' gateway-hosts')) changed()
      })
      try {
        await client.connect()
        await client.query(`listen ${channel}`)
        await ended
      } catch {
        // The database is away; the host polls by itself.
      }
      if (!isStopped) await wait(reconnectMs, undefined, { ref: false })
    }
  }
  void run()
  return {
    async stop() {
      isStopped = true
      await client?.end().catch(() => undefined)
    },
  }
}
