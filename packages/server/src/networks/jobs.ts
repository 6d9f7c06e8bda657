import { type PeriodicJob, repeating } from '#platform/periodic-jobs.ts'
import { deleteRetiredLinks } from './gateway/direct/retired-link-store.ts'
import { deleteExpiredMessages } from './gateway/direct/store.ts'
import { refreshWebVersion } from './gateway/direct/web-version.ts'
import { isWebVersionDue } from './gateway/direct/web-version-store.ts'
import { deleteExpiredReports } from './gateway/inbox/store.ts'

/** The periodic jobs of the chat networks. */
export const networkJobs: readonly PeriodicJob[] = [
  repeating('gateway-messages.cleanup', deleteExpiredMessages),
  repeating('gateway-links.cleanup', deleteRetiredLinks),
  { name: 'gateway-version.refresh', everySeconds: 600, hasWork: isWebVersionDue, run: refreshWebVersion },
  repeating('network-reports.cleanup', deleteExpiredReports),
]
