import type { PeriodicJob } from '#platform/periodic-jobs.ts'
import { purgeEvents } from './purge.ts'

/** The periodic jobs of the event log. */
export const eventJobs: readonly PeriodicJob[] = [
  { name: 'events.purge', everySeconds: 600, run: ({ db, config }) => purgeEvents(db, config.retention.eventsDays) },
]
