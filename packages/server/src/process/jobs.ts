import { limits } from '@msgctl/contract'
import { deleteExpiredActivity } from '../activity/list-store.ts'
import { deleteExpiredSignIns } from '../auth/attempts.ts'
import { mailResetLinks } from '../auth/forgot-password.ts'
import { rollUpCampaignCounts } from '../campaigns/count-store.ts'
import { maintainCampaigns } from '../campaigns/maintain.ts'
import { watchNumbers } from '../campaigns/watch-numbers.ts'
import { rollUpChats } from '../chats/roll-up.ts'
import { purgeEvents } from '../events/purge.ts'
import { deleteExpiredMessages } from '../gateway/direct/store.ts'
import { deleteExpiredReports } from '../gateway/inbox/store.ts'
import { deleteExpiredKeys } from '../idempotency/key-store.ts'
import { sweepChanges } from '../inbound/change.ts'
import { deleteOrphans } from '../inbound/cleanup.ts'
import { importHistories } from '../inbound/import.ts'
import { sendDueMails } from '../mail/send.ts'
import { deleteExpiredMails } from '../mail/store.ts'
import { deleteExpiredSends } from '../messages/guard/guard-store.ts'
import { rollUpCounts } from '../messages/history/counter-store.ts'
import { copyTexts } from '../messages/history/text-store.ts'
import { reapMessages, sweepQueue } from '../messages/queue/sweep.ts'
import { deleteExpiredVotes } from '../messages/receipts/poll-vote-store.ts'
import { deleteExpiredHistory } from '../numbers/history-store.ts'
import { sweepNumbers } from '../numbers/sweep.ts'
import { deleteExpiredOtps } from '../otp/store.ts'
import { deleteExpiredChecks } from '../recipients/check-store.ts'
import { sendDueReminders } from '../reminders/send-due.ts'
import type { Services } from '../services.ts'
import { deleteEndedInvitations } from '../team/invitation-store.ts'

/** One periodic job: idempotent, usually done well within a minute, catching up from the data. */
export interface PeriodicJob {
  readonly name: string
  readonly everySeconds: number
  /** The signal after which it runs at once. */
  readonly on?: 'imports' | 'mail'
  run(services: Services): Promise<void>
}

/** Every periodic job of the service. Each interval, one of the workers runs it. */
export const jobs: readonly PeriodicJob[] = [
  { name: 'messages.requeue-expired-leases', everySeconds: 15, run: reapMessages },
  { name: 'messages.sweep', everySeconds: 60, run: sweepQueue },
  { name: 'messages.count', everySeconds: 15, run: ({ db }) => repeatUntilZero(() => rollUpCounts(db, 10_000)) },
  { name: 'messages.copy-texts', everySeconds: 15, run: ({ db }) => copyTexts(db) },
  { name: 'numbers.sweep', everySeconds: 60, run: sweepNumbers },
  {
    name: 'number-history.cleanup',
    everySeconds: 3600,
    run: ({ db }) => repeatUntilZero(() => deleteExpiredHistory(db)),
  },
  { name: 'reminders.send', everySeconds: 30, run: sendDueReminders },
  { name: 'campaigns.maintenance', everySeconds: 60, run: maintainCampaigns },
  {
    name: 'campaigns.count',
    everySeconds: 15,
    run: ({ db }) => repeatUntilZero(() => rollUpCampaignCounts(db, 10_000)),
  },
  { name: 'chats.roll-up', everySeconds: 15, run: ({ db }) => repeatUntilZero(() => rollUpChats(db)) },
  { name: 'chats.change', everySeconds: 60, run: sweepChanges },
  { name: 'chats.cleanup', everySeconds: 3600, run: ({ db }) => repeatUntilZero(() => deleteOrphans(db)) },
  { name: 'chats.import', everySeconds: 60, on: 'imports', run: importHistories },
  { name: 'idempotency.cleanup', everySeconds: 600, run: ({ db }) => repeatUntilZero(() => deleteExpiredKeys(db)) },
  {
    name: 'activity.cleanup',
    everySeconds: 3600,
    run: ({ db }) => repeatUntilZero(() => deleteExpiredActivity(db, limits.activityDays)),
  },
  {
    name: 'invitations.cleanup',
    everySeconds: 3600,
    run: ({ db }) => repeatUntilZero(() => deleteEndedInvitations(db)),
  },
  { name: 'mail.reset-links', everySeconds: 15, on: 'mail', run: mailResetLinks },
  { name: 'mail.send', everySeconds: 15, on: 'mail', run: sendDueMails },
  { name: 'mail.cleanup', everySeconds: 3600, run: ({ db }) => repeatUntilZero(() => deleteExpiredMails(db)) },
  { name: 'sign-ins.cleanup', everySeconds: 3600, run: ({ db }) => repeatUntilZero(() => deleteExpiredSignIns(db)) },
  { name: 'events.purge', everySeconds: 600, run: purgeEvents },
  { name: 'votes.cleanup', everySeconds: 3600, run: ({ db }) => repeatUntilZero(() => deleteExpiredVotes(db)) },
  { name: 'guard.cleanup', everySeconds: 3600, run: ({ db }) => repeatUntilZero(() => deleteExpiredSends(db)) },
  { name: 'guard.watch', everySeconds: 60, run: watchNumbers },
  { name: 'otp.cleanup', everySeconds: 3600, run: ({ db }) => repeatUntilZero(() => deleteExpiredOtps(db)) },
  {
    name: 'gateway-messages.cleanup',
    everySeconds: 3600,
    run: ({ db }) => repeatUntilZero(() => deleteExpiredMessages(db)),
  },
  {
    name: 'network-reports.cleanup',
    everySeconds: 3600,
    run: ({ db }) => repeatUntilZero(() => deleteExpiredReports(db)),
  },
  { name: 'checks.cleanup', everySeconds: 3600, run: ({ db }) => repeatUntilZero(() => deleteExpiredChecks(db)) },
]

/** Repeats a batch until there is nothing left to do. */
async function repeatUntilZero(some: () => Promise<number>): Promise<void> {
  while ((await some()) > 0);
}
