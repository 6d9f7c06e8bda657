import { type Contract, guardRules, type Message, type Output, type TimelineStep } from '@msgctl/contract'
import type { QueuePosition } from './queue-store.ts'
import type { LoggedAttempt, MessageHistoryRow, MessageRow, ReportedAttempt } from './store.ts'

type Timeline = Output<Contract['messages']['get']>['timeline']

/** Returns a message in the form of the API. */
export function messageView(row: MessageRow): Message {
  return {
    id: row.id,
    type: row.type,
    recipient: row.recipient,
    content: row.content,
    status: row.status,
    priority: row.priority,
    error: row.error,
    sentAt: iso(row.sentAt),
    deliveredAt: iso(row.deliveredAt),
    createdAt: row.createdAt.toISOString(),
    gatewayMessageId: row.gatewayMessageId,
    containerId: row.containerId,
    clientReference: row.clientReference,
    errorCode: row.errorCode,
    attempts: row.attempts,
    campaignId: row.campaignId,
    reminderId: row.reminderId,
    readAt: iso(row.readAt),
    sentBy: row.sentBy,
    held: heldView(row),
  }
}

function heldView({ guardRule: rule, dueAt }: MessageRow): Message['held'] {
  if (rule === null || dueAt === null) return null
  return { reason: 'guard', rule, until: dueAt.toISOString(), message: guardRules[rule] }
}

/**
 * Returns the timeline of a message, oldest first, from its own times, the attempts that did not send it and those of
 * the webhook.
 */
export function buildTimeline(row: MessageHistoryRow, attempts: readonly ReportedAttempt[]): Timeline {
  const step = (name: TimelineStep, at: Date | null, detail?: string) =>
    at ? [{ at: at.toISOString(), step: name, ...(detail === undefined ? {} : { detail }) }] : []
  const steps = [
    ...step(row.direct ? 'sending' : 'queued', row.createdAt),
    ...step('held', row.heldAt, 'another phone was linked to the number'),
    ...step('held', row.guardHeldAt, row.lastGuardRule ? guardRules[row.lastGuardRule] : undefined),
    ...(row.attemptLog ?? []).flatMap((attempt, index) =>
      step('attempt', new Date(attempt.at), attemptDetail(attempt, index + 1)),
    ),
    ...step('sent', row.sentAt, row.gatewayMessageId ?? undefined),
    ...step('delivered', row.deliveredAt),
    ...step('read', row.readAt),
    ...step('failed', failedAfterSent(row), row.error ?? undefined),
    ...step('edited', row.editedAt),
    ...step('deleted', row.deletedAt),
    ...attempts.flatMap((attempt) => step('webhook', new Date(attempt.at), `${attempt.event}: ${pollAnswer(attempt)}`)),
  ]
  // A stable sort keeps steps of one instant in the order in which they happen.
  return steps.sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
}

/**
 * Returns when a message failed. The network may report a failure by its own clock, or before the response to the send
 * was stored; a failure of a sent message never stands before the send.
 */
function failedAfterSent({ failedAt, sentAt }: MessageHistoryRow): Date | null {
  return failedAt && sentAt && failedAt < sentAt ? sentAt : failedAt
}

/** Returns why a queued message waits, in the form of the API. */
export function queueView({ numberStatus, isHeld, ahead, nextAttemptAt }: QueuePosition) {
  return { numberStatus, isHeld, ahead, nextAttemptAt: iso(nextAttemptAt) }
}

function attemptDetail({ at, error, nextAt }: LoggedAttempt, number: number): string {
  const waitS = nextAt === null ? 0 : Math.ceil((Date.parse(nextAt) - Date.parse(at)) / 1000)
  const next = nextAt === null ? 'Waiting for a receipt.' : waitS > 0 ? `Next in ${waitS} s.` : 'Queued again.'
  return `${number}: ${error} ${next}`
}

function pollAnswer(attempt: ReportedAttempt): string {
  return attempt.status === null ? (attempt.error ?? 'no answer') : `HTTP ${attempt.status}`
}

function iso(at: Date | null): string | null {
  return at?.toISOString() ?? null
}
