import type { Services } from '../services.ts'
import { readFigures } from './store.ts'

/** One look at the database serves every scrape within this time. */
const keptMs = 3000

/** Answers the text of `GET /metrics`. Figures of the database are at most 3 s old, and left out when it does not answer. */
export function scraper({ db, log, meters }: Pick<Services, 'db' | 'log' | 'meters'>) {
  let look: { readonly at: number; readonly done: Promise<void> } | undefined

  async function refresh(): Promise<void> {
    try {
      meters.stand(await readFigures(db))
    } catch (error) {
      log.warn({ err: error }, 'the figures of the service could not be read')
      meters.stand(null)
    }
  }

  return async (): Promise<{ readonly type: string; readonly body: string }> => {
    if (!look || performance.now() - look.at > keptMs) look = { at: performance.now(), done: refresh() }
    await look.done
    return meters.text()
  }
}
