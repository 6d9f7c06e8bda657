import { limits } from '@msgctl/contract'
import { endExpiredActions, hasUnfinishedActions } from '#ai-clients/mcp/approvals/action-store.ts'
import { finishActions } from '#ai-clients/mcp/approvals/approve.ts'
import { deleteExpiredCalls } from '#ai-clients/mcp/call-store.ts'
import { deleteOldReads } from '#ai-clients/mcp/sends/read-text-store.ts'
import { deleteExpiredSends as deleteExpiredAiSends } from '#ai-clients/mcp/sends/send-limit-store.ts'
import { deleteStaleClients } from '#ai-clients/oauth/client-store.ts'
import { deleteExpiredRequests } from '#ai-clients/oauth/request-store.ts'
import { deleteExpiredConnectionTokens } from '#api/access/connection-store.ts'
import { deleteEndedConnections } from '#api/access/ended-connection-store.ts'
import { deleteExpiredActivity } from '#api/activity/list-store.ts'
import { deleteExpiredKeys } from '#api/idempotency/key-store.ts'
import { deleteExpiredUploads } from '#api/media/uploads/store.ts'
import { deleteEndedConversations } from '#conversations/bots/conversations/retention-store.ts'
import { deleteExpiredTurns, endQuiet } from '#conversations/bots/conversations/turn-store.ts'
import { hasDueVoiceNotes } from '#conversations/bots/inbox/voice-note-store.ts'
import { deleteOldChatMessages } from '#conversations/chats/retention-store.ts'
import { rollUpChats } from '#conversations/chats/roll-up.ts'
import { hasChatChanges } from '#conversations/chats/roll-up-store.ts'
import { hasDueImports } from '#conversations/contacts/import-task-store.ts'
import { sweepChanges } from '#conversations/inbound/change.ts'
import { hasPendingChanges } from '#conversations/inbound/change-store.ts'
import { deleteOrphans } from '#conversations/inbound/cleanup.ts'
import { importHistories } from '#conversations/inbound/import.ts'
import { transcribeVoiceNotes } from '#conversations/inbound/voice/transcribe.ts'
import { purgeEvents } from '#events/purge.ts'
import { deleteRetiredLinks } from '#networks/gateway/direct/retired-link-store.ts'
import { deleteExpiredMessages } from '#networks/gateway/direct/store.ts'
import { refreshWebVersion } from '#networks/gateway/direct/web-version.ts'
import { isWebVersionDue } from '#networks/gateway/direct/web-version-store.ts'
import { deleteExpiredReports } from '#networks/gateway/inbox/store.ts'
import { deleteExpiredSends } from '#numbers/guard/guard-store.ts'
import { deleteExpiredHistory } from '#numbers/history-store.ts'
import { deleteExpiredChecks } from '#numbers/recipients/check-store.ts'
import { sweepNumbers } from '#numbers/sweep.ts'
import { warnUnused } from '#numbers/unused.ts'
import { deleteExpiredSignIns } from '#people/auth/attempts.ts'
import { mailResetLinks } from '#people/auth/forgot-password.ts'
import { hasResetRequests } from '#people/auth/reset-request-store.ts'
import { hasDeletedOrganizations } from '#people/organizations/deletion-store.ts'
import { hasMovedOrganizations, hasUnclosedOrganizations } from '#people/organizations/move-store.ts'
import { deleteEndedInvitations } from '#people/team/invitation-store.ts'
import { sendDueMails } from '#platform/mail/send.ts'
import { deleteExpiredMails, hasDueMails } from '#platform/mail/store.ts'
import type { WorkKind } from '#platform/set-aside/kinds.ts'
import { deleteExpiredSuspects } from '#platform/set-aside/work-store.ts'
import { hasCampaignChanges, rollUpCampaignCounts } from '#sending/campaigns/count-store.ts'
import { maintainCampaigns } from '#sending/campaigns/maintain.ts'
import { watchNumbers } from '#sending/campaigns/watch-numbers.ts'
import { hasCountChanges, rollUpCounts } from '#sending/messages/history/counter-store.ts'
import { deleteOldMessages } from '#sending/messages/history/retention-store.ts'
import { copyTexts, hasTextChanges } from '#sending/messages/history/text-store.ts'
import { hasReapable, reapMessages, sweepQueue } from '#sending/messages/queue/sweep.ts'
import { deleteExpiredVotes } from '#sending/messages/receipts/poll-vote-store.ts'
import { deleteExpiredDays } from '#sending/otp/day-store.ts'
import { deleteExpiredOtps } from '#sending/otp/store.ts'
import { hasDueReminders } from '#sending/reminders/due-store.ts'
import { sendDueReminders } from '#sending/reminders/send-due.ts'
import type { Services } from '#services.ts'
import { eraseDeleted } from '#upkeep/erasure/erase.ts'
import { eraseMoved } from '#upkeep/erasure/erase-moved.ts'
import { closeMoving } from '#upkeep/move/close-numbers.ts'

/** One periodic job: idempotent, usually done well within a minute, catching up from the data. */
export interface PeriodicJob {
  readonly name: string
  readonly everySeconds: number
  /** The signal after which it runs at once. */
  readonly on?: 'imports' | 'mail' | 'deletions'
  /** An SQL condition: whether it has something to do. While it is false, the job counts as ended without a run. */
  readonly hasWork?: string
  /**
   * The items of organizations that it works on, one by one. Each is set aside by itself; without it, the job itself
   * is.
   */
  readonly items?: WorkKind
  run(services: Services): Promise<void>
}

/** Every periodic job of the service. One of the workers runs it each interval, unless it has nothing to do. */
export const jobs: readonly PeriodicJob[] = [
  {
    name: 'messages.requeue-expired-leases',
    everySeconds: 15,
    hasWork: hasReapable,
    items: 'messages',
    run: reapMessages,
  },
  { name: 'messages.sweep', everySeconds: 60, run: sweepQueue },
  {
    name: 'messages.count',
    everySeconds: 15,
    hasWork: hasCountChanges,
    run: ({ db }) => repeatUntilZero(() => rollUpCounts(db, 10_000)),
  },
  { name: 'messages.copy-texts', everySeconds: 15, hasWork: hasTextChanges, run: ({ db }) => copyTexts(db) },
  { name: 'numbers.sweep', everySeconds: 60, run: sweepNumbers },
  { name: 'numbers.warn-unused', everySeconds: 3600, run: (services) => repeatUntilZero(() => warnUnused(services)) },
  {
    name: 'number-history.cleanup',
    everySeconds: 3600,
    run: ({ db }) => repeatUntilZero(() => deleteExpiredHistory(db)),
  },
  { name: 'reminders.send', everySeconds: 30, hasWork: hasDueReminders, items: 'reminders', run: sendDueReminders },
  { name: 'campaigns.maintenance', everySeconds: 60, items: 'campaign_starts', run: maintainCampaigns },
  {
    name: 'campaigns.count',
    everySeconds: 15,
    hasWork: hasCampaignChanges,
    run: ({ db }) => repeatUntilZero(() => rollUpCampaignCounts(db, 10_000)),
  },
  {
    name: 'chats.roll-up',
    everySeconds: 15,
    hasWork: hasChatChanges,
    run: ({ db }) => repeatUntilZero(() => rollUpChats(db)),
  },
  { name: 'chats.change', everySeconds: 60, hasWork: hasPendingChanges, run: sweepChanges },
  { name: 'chats.cleanup', everySeconds: 3600, run: ({ db }) => repeatUntilZero(() => deleteOrphans(db)) },
  {
    name: 'chats.import',
    everySeconds: 60,
    on: 'imports',
    hasWork: hasDueImports,
    items: 'imports',
    run: importHistories,
  },
  { name: 'idempotency.cleanup', everySeconds: 600, run: ({ db }) => repeatUntilZero(() => deleteExpiredKeys(db)) },
  {
    name: 'activity.cleanup',
    everySeconds: 3600,
    run: ({ db, config }) => repeatUntilZero(() => deleteExpiredActivity(db, config.retention.activityDays)),
  },
  {
    name: 'invitations.cleanup',
    everySeconds: 3600,
    run: ({ db }) => repeatUntilZero(() => deleteEndedInvitations(db)),
  },
  {
    name: 'organizations.erase',
    everySeconds: 60,
    on: 'deletions',
    hasWork: hasDeletedOrganizations,
    items: 'erasures',
    run: eraseDeleted,
  },
  {
    name: 'organizations.erase-moved',
    everySeconds: 600,
    hasWork: hasMovedOrganizations,
    items: 'erasures',
    run: eraseMoved,
  },
  {
    name: 'organizations.close',
    everySeconds: 15,
    hasWork: hasUnclosedOrganizations,
    items: 'moves',
    run: closeMoving,
  },
  {
    name: 'mail.reset-links',
    everySeconds: 15,
    on: 'mail',
    hasWork: hasResetRequests,
    items: 'reset_links',
    run: mailResetLinks,
  },
  { name: 'mail.send', everySeconds: 15, on: 'mail', hasWork: hasDueMails, items: 'mails', run: sendDueMails },
  { name: 'mail.cleanup', everySeconds: 3600, run: ({ db }) => repeatUntilZero(() => deleteExpiredMails(db)) },
  { name: 'sign-ins.cleanup', everySeconds: 3600, run: ({ db }) => repeatUntilZero(() => deleteExpiredSignIns(db)) },
  { name: 'uploads.cleanup', everySeconds: 3600, run: ({ db }) => repeatUntilZero(() => deleteExpiredUploads(db)) },
  {
    name: 'messages.retention',
    everySeconds: 600,
    run: ({ db, config }) => deleteOlder(config.retention.messagesDays, (days) => deleteOldMessages(db, days)),
  },
  {
    name: 'chats.retention',
    everySeconds: 600,
    run: ({ db, config }) => deleteOlder(config.retention.chatsDays, (days) => deleteOldChatMessages(db, days)),
  },
  { name: 'events.purge', everySeconds: 600, run: ({ db, config }) => purgeEvents(db, config.retention.eventsDays) },
  { name: 'votes.cleanup', everySeconds: 3600, run: ({ db }) => repeatUntilZero(() => deleteExpiredVotes(db)) },
  { name: 'guard.cleanup', everySeconds: 3600, run: ({ db }) => repeatUntilZero(() => deleteExpiredSends(db)) },
  { name: 'guard.watch', everySeconds: 60, run: watchNumbers },
  { name: 'bots.end-quiet', everySeconds: 600, run: ({ db }) => repeatUntilZero(() => endQuiet(db)) },
  { name: 'bots.cleanup', everySeconds: 3600, run: ({ db }) => repeatUntilZero(() => deleteExpiredTurns(db)) },
  {
    name: 'bots.retention',
    everySeconds: 3600,
    run: ({ db }) => repeatUntilZero(() => deleteEndedConversations(db, limits.bots.conversationDays)),
  },
  {
    name: 'bots.transcribe',
    everySeconds: 15,
    hasWork: hasDueVoiceNotes,
    items: 'voice_notes',
    run: transcribeVoiceNotes,
  },
  { name: 'otp.cleanup', everySeconds: 3600, run: ({ db }) => repeatUntilZero(() => deleteExpiredOtps(db)) },
  { name: 'otp-days.cleanup', everySeconds: 3600, run: ({ db }) => repeatUntilZero(() => deleteExpiredDays(db)) },
  {
    name: 'gateway-messages.cleanup',
    everySeconds: 3600,
    run: ({ db }) => repeatUntilZero(() => deleteExpiredMessages(db)),
  },
  { name: 'gateway-links.cleanup', everySeconds: 3600, run: ({ db }) => repeatUntilZero(() => deleteRetiredLinks(db)) },
  { name: 'gateway-version.refresh', everySeconds: 600, hasWork: isWebVersionDue, run: refreshWebVersion },
  {
    name: 'network-reports.cleanup',
    everySeconds: 3600,
    run: ({ db }) => repeatUntilZero(() => deleteExpiredReports(db)),
  },
  {
    name: 'ai-actions.finish',
    everySeconds: 15,
    hasWork: hasUnfinishedActions,
    items: 'ai_actions',
    run: (services) => finishActions(services, async () => (await import('./handlers.ts')).handlers),
  },
  {
    name: 'ai-actions.cleanup',
    everySeconds: 60,
    run: ({ db }) => repeatUntilZero(() => endExpiredActions(db, limits.mcp.actionDays)),
  },
  { name: 'ai-clients.cleanup', everySeconds: 3600, run: ({ db }) => repeatUntilZero(() => deleteStaleClients(db)) },
  {
    name: 'ai-requests.cleanup',
    everySeconds: 600,
    run: ({ db }) => repeatUntilZero(() => deleteExpiredRequests(db)),
  },
  {
    name: 'ai-tokens.cleanup',
    everySeconds: 3600,
    run: ({ db }) => repeatUntilZero(() => deleteExpiredConnectionTokens(db)),
  },
  {
    name: 'ai-connections.cleanup',
    everySeconds: 3600,
    run: ({ db }) => repeatUntilZero(() => deleteEndedConnections(db, limits.mcp.connectionDays)),
  },
  {
    name: 'ai-calls.cleanup',
    everySeconds: 3600,
    run: ({ db }) => repeatUntilZero(() => deleteExpiredCalls(db, limits.mcp.callDays)),
  },
  { name: 'ai-reads.cleanup', everySeconds: 3600, run: ({ db }) => repeatUntilZero(() => deleteOldReads(db)) },
  { name: 'ai-sends.cleanup', everySeconds: 3600, run: ({ db }) => repeatUntilZero(() => deleteExpiredAiSends(db)) },
  { name: 'suspects.cleanup', everySeconds: 3600, run: ({ db }) => repeatUntilZero(() => deleteExpiredSuspects(db)) },
  { name: 'checks.cleanup', everySeconds: 3600, run: ({ db }) => repeatUntilZero(() => deleteExpiredChecks(db)) },
]

/** The batches of one run: the next run continues, and until then other jobs run. */
const maxBatches = 40

/** Deletes what is older than the days of its setting; without one nothing. */
async function deleteOlder(days: number | null, some: (days: number) => Promise<number>): Promise<void> {
  if (days === null) return
  for (let batch = 0; batch < maxBatches; batch++) if ((await some(days)) === 0) return
}

/** Repeats a batch until there is nothing left to do. */
async function repeatUntilZero(some: () => Promise<number>): Promise<void> {
  while ((await some()) > 0);
}
