import { deleteOlder, type PeriodicJob, repeating } from '#platform/periodic-jobs.ts'
import { hasCampaignChanges, rollUpCampaignCounts } from './campaigns/count-store.ts'
import { maintainCampaigns } from './campaigns/maintain.ts'
import { watchNumbers } from './campaigns/watch-numbers.ts'
import { hasCountChanges, rollUpCounts } from './messages/history/counter-store.ts'
import { deleteOldMessages } from './messages/history/retention-store.ts'
import { copyTexts, hasTextChanges } from './messages/history/text-store.ts'
import { hasReapable, reapMessages, sweepQueue } from './messages/queue/sweep.ts'
import { deleteExpiredVotes } from './messages/receipts/poll-vote-store.ts'
import { deleteExpiredDays } from './otp/day-store.ts'
import { deleteExpiredOtps } from './otp/store.ts'
import { hasDueReminders } from './reminders/due-store.ts'
import { sendDueReminders } from './reminders/send-due.ts'

/** The periodic jobs of what is sent. */
export const sendingJobs: readonly PeriodicJob[] = [
  {
    name: 'messages.requeue-expired-leases',
    everySeconds: 15,
    hasWork: hasReapable,
    items: 'messages',
    run: reapMessages,
  },
  { name: 'messages.sweep', everySeconds: 60, run: sweepQueue },
  repeating('messages.count', (db) => rollUpCounts(db, 10_000), { everySeconds: 15, hasWork: hasCountChanges }),
  { name: 'messages.copy-texts', everySeconds: 15, hasWork: hasTextChanges, run: ({ db }) => copyTexts(db) },
  { name: 'reminders.send', everySeconds: 30, hasWork: hasDueReminders, items: 'reminders', run: sendDueReminders },
  { name: 'campaigns.maintenance', everySeconds: 60, items: 'campaign_starts', run: maintainCampaigns },
  repeating('campaigns.count', (db) => rollUpCampaignCounts(db, 10_000), {
    everySeconds: 15,
    hasWork: hasCampaignChanges,
  }),
  {
    name: 'messages.retention',
    everySeconds: 600,
    run: ({ db, config }) => deleteOlder(config.retention.messagesDays, (days) => deleteOldMessages(db, days)),
  },
  repeating('votes.cleanup', deleteExpiredVotes),
  { name: 'guard.watch', everySeconds: 60, run: watchNumbers },
  repeating('otp.cleanup', deleteExpiredOtps),
  repeating('otp-days.cleanup', deleteExpiredDays),
]
