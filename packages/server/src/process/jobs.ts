import { forgetOldSignIns } from '../auth/store.ts'
import { foldCampaignCounts } from '../campaigns/count-store.ts'
import { tendCampaigns } from '../campaigns/tend.ts'
import { foldChats } from '../chats/fold.ts'
import { purgeEvents } from '../events/purge.ts'
import { forgetOldKeys } from '../idempotency/key-store.ts'
import { sweepChanges } from '../inbound/change.ts'
import { forgetOrphans } from '../inbound/forget-store.ts'
import { importHistories } from '../inbound/import.ts'
import { foldCounts } from '../messages/history/counter-store.ts'
import { packHistories } from '../messages/history/packing.ts'
import { reapMessages, sweepQueue } from '../messages/queue/sweep.ts'
import { forgetOldVotes } from '../messages/receipts/poll-vote-store.ts'
import { forgetOldHistory } from '../numbers/history-store.ts'
import { sweepNumbers } from '../numbers/sweep.ts'
import { forgetOldOtps } from '../otp/store.ts'
import { forgetOldChecks } from '../recipients/check-store.ts'
import { sendDueReminders } from '../reminders/send-due.ts'
import type { Services } from '../services.ts'

/** One periodic job: idempotent, usually done well within a minute, catching up from the data. */
export interface PeriodicJob {
  readonly name: string
  readonly everySeconds: number
  /** The signal after which it runs at once. */
  readonly on?: 'imports'
  run(services: Services): Promise<void>
}

/** Every periodic job of the service. Each interval, one of the workers runs it. */
export const jobs: readonly PeriodicJob[] = [
  { name: 'messages.reap', everySeconds: 15, run: reapMessages },
  { name: 'messages.sweep', everySeconds: 60, run: sweepQueue },
  { name: 'messages.count', everySeconds: 15, run: ({ db }) => untilNone(() => foldCounts(db, 10_000)) },
  { name: 'messages.pack', everySeconds: 60, run: packHistories },
  { name: 'numbers.sweep', everySeconds: 60, run: sweepNumbers },
  { name: 'number-history.forget', everySeconds: 3600, run: ({ db }) => untilNone(() => forgetOldHistory(db)) },
  { name: 'reminders.send', everySeconds: 30, run: sendDueReminders },
  { name: 'campaigns.tend', everySeconds: 60, run: tendCampaigns },
  { name: 'campaigns.count', everySeconds: 15, run: ({ db }) => untilNone(() => foldCampaignCounts(db, 10_000)) },
  { name: 'chats.fold', everySeconds: 15, run: ({ db }) => untilNone(() => foldChats(db)) },
  { name: 'chats.change', everySeconds: 60, run: sweepChanges },
  { name: 'chats.forget', everySeconds: 3600, run: ({ db }) => untilNone(() => forgetOrphans(db)) },
  { name: 'chats.import', everySeconds: 60, on: 'imports', run: importHistories },
  { name: 'idempotency.forget', everySeconds: 600, run: ({ db }) => untilNone(() => forgetOldKeys(db)) },
  { name: 'sign-ins.forget', everySeconds: 3600, run: ({ db }) => untilNone(() => forgetOldSignIns(db)) },
  { name: 'events.purge', everySeconds: 600, run: purgeEvents },
  { name: 'votes.forget', everySeconds: 3600, run: ({ db }) => untilNone(() => forgetOldVotes(db)) },
  { name: 'otp.forget', everySeconds: 3600, run: ({ db }) => untilNone(() => forgetOldOtps(db)) },
  { name: 'checks.forget', everySeconds: 3600, run: ({ db }) => untilNone(() => forgetOldChecks(db)) },
]

/** Repeats a batch until there is nothing left to do. */
async function untilNone(some: () => Promise<number>): Promise<void> {
  while ((await some()) > 0);
}
