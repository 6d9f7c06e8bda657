import { type PeriodicJob, repeating } from '#platform/periodic-jobs.ts'
import { deleteExpiredSignIns } from './auth/attempts.ts'
import { mailResetLinks } from './auth/forgot-password.ts'
import { hasResetRequests } from './auth/reset-request-store.ts'
import { deleteEndedInvitations } from './team/invitation-store.ts'

/** The periodic jobs of sign-ins and invitations. */
export const peopleJobs: readonly PeriodicJob[] = [
  repeating('invitations.cleanup', deleteEndedInvitations),
  {
    name: 'mail.reset-links',
    everySeconds: 15,
    on: 'mail',
    hasWork: hasResetRequests,
    items: 'reset_links',
    run: mailResetLinks,
  },
  repeating('sign-ins.cleanup', deleteExpiredSignIns),
]
