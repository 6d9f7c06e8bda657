import type { Db } from '#platform/db/db.ts'
import { deleteOldEvents } from './log-store.ts'
import { deleteExpiredLeases } from './stream-lease-store.ts'

const batch = 1000
const maxBatches = 500

/**
 * Deletes expired stream leases, and events older than `keptDays` with their deliveries. Each statement deletes a
 * thousand, so that none holds its locks for long. One run deletes at most 500,000, and the next run of the job
 * continues: 72 million a day, more than the largest cell of docs/run/scale.md stores.
 */
export async function purgeEvents(db: Db, keptDays: number): Promise<void> {
  await deleteExpiredLeases(db)
  for (let run = 0; run < maxBatches; run++) {
    const deleted = await deleteOldEvents(db, keptDays, batch)
    if (deleted < batch) return
  }
}
