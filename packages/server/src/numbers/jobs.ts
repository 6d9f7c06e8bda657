import { type PeriodicJob, repeating, repeatUntilZero } from '#platform/periodic-jobs.ts'
import { deleteExpiredSends } from './guard/guard-store.ts'
import { deleteExpiredHistory } from './history-store.ts'
import { deleteExpiredChecks } from './recipients/check-store.ts'
import { sweepNumbers } from './sweep.ts'
import { warnUnused } from './unused.ts'

/** The periodic jobs of numbers. */
export const numberJobs: readonly PeriodicJob[] = [
  { name: 'numbers.sweep', everySeconds: 60, run: sweepNumbers },
  { name: 'numbers.warn-unused', everySeconds: 3600, run: (services) => repeatUntilZero(() => warnUnused(services)) },
  repeating('number-history.cleanup', deleteExpiredHistory),
  repeating('guard.cleanup', deleteExpiredSends),
  repeating('checks.cleanup', deleteExpiredChecks),
]
