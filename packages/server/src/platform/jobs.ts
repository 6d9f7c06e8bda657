import { sendDueMails } from './mail/send.ts'
import { deleteExpiredMails, hasDueMails } from './mail/store.ts'
import { type PeriodicJob, repeating } from './periodic-jobs.ts'
import { deleteExpiredSuspects } from './set-aside/work-store.ts'

/** The periodic jobs of mails, and what was set aside. */
export const platformJobs: readonly PeriodicJob[] = [
  { name: 'mail.send', everySeconds: 15, on: 'mail', hasWork: hasDueMails, items: 'mails', run: sendDueMails },
  repeating('mail.cleanup', deleteExpiredMails),
  repeating('suspects.cleanup', deleteExpiredSuspects),
]
