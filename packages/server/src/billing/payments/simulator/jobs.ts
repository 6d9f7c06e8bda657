import type { PeriodicJob } from '#platform/periodic-jobs.ts'
import { repeatUntilZero } from '#platform/periodic-jobs.ts'
import { tick } from './deliver.ts'
import { hasDueEvents } from './event-store.ts'
import { paySimOf } from './of-services.ts'
import { deleteOld, hasDueCustomers } from './store.ts'

/** The periodic jobs of the simulated payment provider. */
export const paySimJobs: readonly PeriodicJob[] = [
  {
    name: 'sim-pay.tick',
    only: 'simulated-payments',
    everySeconds: 15,
    on: 'sim-pay',
    hasWork: `(${hasDueCustomers} or ${hasDueEvents})`,
    async run(services) {
      const sim = paySimOf(services)
      if (sim !== null) await tick(sim)
    },
  },
  {
    name: 'sim-pay.cleanup',
    only: 'simulated-payments',
    everySeconds: 3600,
    run: ({ db }) => repeatUntilZero(() => deleteOld(db)),
  },
]
