import { limits } from '@msgctl/contract'
import { type PeriodicJob, repeating } from '#platform/periodic-jobs.ts'
import { hasDueAccounts, hasOverdueAccounts } from './accounts/account-store.ts'
import { endGrace } from './clock/grace.ts'
import { hasTrialMails } from './clock/trial-store.ts'
import { mailTrials } from './clock/trials.ts'
import { deleteExpiredEvents, hasNamelessEvents } from './events/event-store.ts'
import { nameEvents } from './events/name-events.ts'
import { deleteExpiredOperations, hasLeftOperations } from './operations/operation-store.ts'
import { refreshDue, settleLeft } from './operations/refresh-due.ts'

/** The periodic jobs of billing, of a service that takes payments. */
export const billingJobs: readonly PeriodicJob[] = [
  {
    name: 'billing.refresh',
    only: 'payments',
    everySeconds: 15,
    on: 'billing',
    hasWork: `(${hasDueAccounts} or ${hasNamelessEvents})`,
    items: 'accounts',
    async run(services) {
      await refreshDue(services)
      await nameEvents(services)
    },
  },
  {
    name: 'billing.operations',
    only: 'payments',
    everySeconds: 15,
    on: 'billing',
    hasWork: hasLeftOperations,
    items: 'accounts',
    run: settleLeft,
  },
  {
    name: 'billing.clock',
    only: 'payments',
    everySeconds: 60,
    hasWork: `(${hasOverdueAccounts} or ${hasTrialMails})`,
    async run(services) {
      await endGrace(services)
      await mailTrials(services)
    },
  },
  {
    ...repeating('billing.cleanup', async (db) => {
      const { eventDays, operationDays } = limits.billing
      return (await deleteExpiredEvents(db, eventDays)) + (await deleteExpiredOperations(db, operationDays))
    }),
    only: 'payments',
  },
]
