import { aiClientJobs } from '#ai-clients/jobs.ts'
import { apiJobs } from '#api/jobs.ts'
import { conversationJobs } from '#conversations/jobs.ts'
import { eventJobs } from '#events/jobs.ts'
import { networkJobs } from '#networks/jobs.ts'
import { numberJobs } from '#numbers/jobs.ts'
import { peopleJobs } from '#people/jobs.ts'
import { platformJobs } from '#platform/jobs.ts'
import type { PeriodicJob } from '#platform/periodic-jobs.ts'
import { sendingJobs } from '#sending/jobs.ts'
import { upkeepJobs } from '#upkeep/jobs.ts'

/** Every periodic job of the service. One of the workers runs it each interval, unless it has nothing to do. */
export const jobs: readonly PeriodicJob[] = [
  ...platformJobs,
  ...apiJobs,
  ...networkJobs,
  ...eventJobs,
  ...numberJobs,
  ...sendingJobs,
  ...conversationJobs,
  ...peopleJobs,
  ...aiClientJobs(async () => (await import('./handlers.ts')).handlers),
  ...upkeepJobs,
]
