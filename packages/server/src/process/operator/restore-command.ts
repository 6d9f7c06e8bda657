import { answerRestore, type RestoreAnswer } from '#upkeep/restore/after-restore.ts'
import { OperatorCommand } from './command.ts'
import { table } from './print.ts'
import { ownTerminal, type Terminal } from './terminal.ts'

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

interface Options {
  readonly nothingLost?: boolean
  readonly force?: boolean
}

/** Returns the operator's command for a restored database: `msgctl-server after-restore`. */
export function afterRestoreCommand(terminal: Terminal = ownTerminal): OperatorCommand {
  return new OperatorCommand('after-restore', terminal)
    .description('hold everything that a restored database would send again, and let the service start on it')
    .option('--nothing-lost', 'keep everything due: no process has run since the backup was taken')
    .option('--force', 'also for a database that does not look restored, such as that of a disk snapshot')
    .runs(
      ({ db }, { nothingLost = false, force = false }: Options) => answerRestore(db, { nothingLost, force }),
      restoreText,
    )
}
