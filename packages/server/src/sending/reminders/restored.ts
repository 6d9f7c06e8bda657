import { randomUUID } from 'node:crypto'
import type { Db } from '#platform/db/db.ts'
import { claimDue, makeClaimedDue, writeMove } from './due-store.ts'
import { nextMove } from './rules.ts'

const perClaim = 500
const leaseMs = 1000

/**
 * Skips what is due in a restored database, of all organizations, as if the service had been down: a reminder that
 * repeats continues with its next occurrence, any other fails as missed. Returns how many occurrences were skipped.
 */
export async function skipDueReminders(trx: Db): Promise<number> {
  await makeClaimedDue(trx)
  let skipped = 0
  for (;;) {
    const due = await claimDue(trx, { token: randomUUID(), leaseMs, limit: perClaim })
    if (due.length === 0) return skipped
    for (const reminder of due) await writeMove(trx, reminder, nextMove(reminder, { is: 'missed' }, reminder.claimedAt))
    skipped += due.length
  }
}
