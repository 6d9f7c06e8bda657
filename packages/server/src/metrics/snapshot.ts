import type { Services } from '../services.ts'
import { readSnapshot } from './store.ts'

/** One look at the database serves every scrape within this time. */
const keptMs = 3000

/** Answers the text of `GET /metrics`. Figures of the database are at most 3 s old, and left out when it does not answer. */
export function scraper({ db, log, metrics }: Pick<Services, 'db' | 'log' | 'metrics'>) {
  let snapshot: { readonly at: number; readonly done: Promise<void> } | undefined

  async function refresh(): Promise<void> {
    try {
      metrics.setGauges(await readSnapshot(db))
    } catch (error) {
      log.warn({ err: error }, 'the figures of the service could not be read')
      metrics.setGauges(null)
    }
  }

  return async (): Promise<{ readonly type: string; readonly body: string }> => {
    if (!snapshot || performance.now() - snapshot.at > keptMs) snapshot = { at: performance.now(), done: refresh() }
    await snapshot.done
    return metrics.text()
  }
}
