import type { Services } from '#services.ts'
import { readSnapshot } from './store.ts'

/** One read of the database serves every scrape within this time. */
const keptMs = 3000

/**
 * Returns a function that returns the text of `GET /metrics`. `readMore` sets gauges of other rooms. The figures of the
 * database are at most 3 s old, or left out if it cannot be read.
 */
export function scraper(
  { db, log, metrics }: Pick<Services, 'db' | 'log' | 'metrics'>,
  readMore?: () => Promise<void>,
) {
  let snapshot: { readonly at: number; readonly done: Promise<void> } | undefined

  async function refresh(): Promise<void> {
    try {
      metrics.setGauges(await readSnapshot(db))
      await readMore?.()
    } catch (error) {
      log.warn({ event: 'metrics_snapshot_failed', err: error }, 'failed to read the figures of the service')
      metrics.setGauges(null)
    }
  }

  return async (): Promise<{ readonly type: string; readonly body: string }> => {
    if (!snapshot || performance.now() - snapshot.at > keptMs) snapshot = { at: performance.now(), done: refresh() }
    await snapshot.done
    return metrics.text()
  }
}
