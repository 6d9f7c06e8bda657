import type { Contract, Output } from '@msgctl/contract'
import type { Services } from '#services.ts'
import { dayMs, windowMs } from './check-budget-store.ts'
import { checkLimits } from './check-limits.ts'
import { countKnown, listBudgetUse } from './check-use-store.ts'

type CheckUse = Output<Contract['account']['usage']>['recipientChecks']

/** Returns how many of `most` checks are left when `usedMs` of their window are used. */
function checksLeft(most: number, lengthMs: number, usedMs: number): number {
  // A hundredth is tolerated, because stored times are whole microseconds.
  return Math.max(0, Math.floor(((lengthMs - usedMs) * most) / lengthMs + 0.01))
}

/** Returns what an organization uses of the checks whether recipients are on the network. */
export async function readCheckUse(
  { db, config }: Pick<Services, 'db' | 'config'>,
  organizationId: string,
): Promise<CheckUse> {
  const [known, numbers] = await Promise.all([countKnown(db, organizationId), listBudgetUse(db, organizationId)])
  const limits = checkLimits(config)
  return {
    known,
    numbers: numbers.map(({ containerId, isSimulated, usedMs, dayUsedMs }) => {
      const { perMinute, perDay } = isSimulated ? limits.simulated : limits.real
      return {
        containerId,
        minuteLeft: checksLeft(perMinute, windowMs, usedMs),
        minuteLimit: perMinute,
        dayLeft: checksLeft(perDay, dayMs, dayUsedMs),
        dayLimit: perDay,
      }
    }),
  }
}
