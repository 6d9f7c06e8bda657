import { aiClientJobs } from '#ai-clients/jobs.ts'
import { apiJobs } from '#api/jobs.ts'
import { billingJobs } from '#billing/jobs.ts'
import { paySimJobs } from '#billing/payments/simulator/jobs.ts'
import { conversationJobs } from '#conversations/jobs.ts'
import { eventJobs } from '#events/jobs.ts'
import { networkJobs } from '#networks/jobs.ts'
import { numberJobs } from '#numbers/jobs.ts'
import { peopleJobs } from '#people/jobs.ts'
import { platformJobs } from '#platform/jobs.ts'
import type { PeriodicJob } from '#platform/periodic-jobs.ts'
import { sendingJobs } from '#sending/jobs.ts'
import { upkeepJobs } from '#upkeep/jobs.ts'
import type { Config } from './config.ts'

/** Returns the jobs of a service with these settings: one that takes no payments has none of theirs. */
export function jobsFor({ payments }: Pick<Config, 'payments'>): readonly PeriodicJob[] {
  return jobs.filter(({ only }) => {
    if (only === undefined) return true
    return only === 'payments' ? payments !== null : payments?.provider === 'simulated'
  })
}

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
  ...billingJobs,
  ...aiClientJobs(async () => (await import('./handlers.ts')).handlers),
  ...paySimJobs,
  ...upkeepJobs,
]
