import type { RestoreAnswer } from '#upkeep/restore/after-restore.ts'
import { table } from './print.ts'

/** Formats what was held, and what people have to decide next. */
export function restoreText(answer: RestoreAnswer): string {
  if (!answer.stopped) return 'The database is recorded as that of the service. Everything in it stays due.\n'
  const counts = table([
    ['  Queues held', String(answer.queuesHeld)],
    ['  Messages in them', String(answer.messagesHeld)],
    ['  Campaigns paused', String(answer.campaignsPaused)],
    ['  Campaigns made drafts', String(answer.campaignsMadeDrafts)],
    ['  Reminders skipped', String(answer.remindersSkipped)],
    ['  Webhook deliveries dropped', String(answer.deliveriesDropped)],
    ['  Mails given up', String(answer.mailsGivenUp)],
    ['  One-time codes expired', String(answer.codesExpired)],
    ['  Sessions ended', String(answer.sessionsEnded)],
    ['  AI connections ended', String(answer.aiConnectionsEnded)],
    ['  Network reports set aside', String(answer.reportsSetAside)],
  ])
  return `${counts}
The service can be started on this database. Each organization decides about its held queues:
msgctl numbers release <number> --send, or --discard. Campaigns can be resumed, drafts sent.
API keys and passwords that were changed after the backup are the old ones again.
`
}
