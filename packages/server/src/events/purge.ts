import { limits } from '@msgctl/contract'
import type { Services } from '../services.ts'
import { deleteOldEvents } from './log-store.ts'
import { deleteExpiredLeases } from './stream-lease-store.ts'

const batch = 1000
const maxBatches = 100

/**
 * Deletes the seats of streams that are gone, and events older than 30 days with their deliveries, a thousand at a time so that no statement holds its
 * locks for long. One run deletes 100,000 at most; the next run of the periodic job goes on with the rest.
 */
export async function purgeEvents({ db }: Pick<Services, 'db'>): Promise<void> {
  await deleteExpiredLeases(db)
  for (let run = 0; run < maxBatches; run++) {
    const deleted = await deleteOldEvents(db, limits.events.keptDays, batch)
    if (deleted < batch) return
  }
}
