import type { Services } from '#services.ts'
import { readBillingFigures, readBillingWaits } from './figures-store.ts'

/** Reads the gauges of payments from the database; nothing where the service takes none. */
export async function setBillingGauges({
  db,
  metrics,
  payments,
}: Pick<Services, 'db' | 'metrics' | 'payments'>): Promise<void> {
  if (payments === null) return
  const [figures, waits] = [await readBillingFigures(db), await readBillingWaits(db)]
  metrics.setBillingGauges({ ...figures, ...waits })
}
