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
  return `${counts}${heldText(answer)}
The service can be started on this database. Each organization decides about its held queues:
msgctl numbers release <number> --send, or --discard. Campaigns can be resumed, drafts sent.
API keys and passwords that were changed after the backup are the old ones again.
`
}

/** Formats which organizations have to decide, with the number, the count and the age of what is held. */
function heldText({ held }: RestoreAnswer): string {
  if (held.length === 0) return ''
  const lines = held.map(({ organization, organizationId, label, messages, oldestAt }) => [
    `  ${organization}`,
    organizationId,
    label,
    String(messages),
    oldestAt.toISOString(),
  ])
  const titles = ['  ORGANIZATION', 'ID', 'NUMBER', 'MESSAGES', 'OLDEST']
  return `\nHeld, until the organization decides:\n${table([titles, ...lines])}`
}
