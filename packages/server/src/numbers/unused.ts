import { appendEvents } from '#events/append.ts'
import { transaction } from '#platform/db/db.ts'
import type { Services } from '#services.ts'
import { markUnused } from './unused-store.ts'

/** The network removes a linked device after about 30 days without a login: then it is too late for a warning. */
const warnedDays = { from: 20, to: 30 }
const batch = 100

const message =
  'This number has been stopped for 20 days. The network ends a link that is not used for about 30 days, and the ' +
  'phone must then scan a QR again. Start the number for a few minutes to keep its link.'

/** Warns once about each linked number that has been stopped for 20 days. Returns how many, up to a batch. */
export async function warnUnused({ db, clock }: Services): Promise<number> {
  const timestamp = clock.now().toISOString()
  return transaction(db, async (trx) => {
    const unused = await markUnused(trx, warnedDays, batch)
    await appendEvents(
      trx,
      unused.map(({ organizationId, containerId, phoneNumber: numberPhone, instanceName: session }) => ({
        organizationId,
        event: 'number.warning',
        data: { reason: 'unused', message, containerId, numberPhone, session, timestamp },
      })),
    )
    return unused.length
  })
}
