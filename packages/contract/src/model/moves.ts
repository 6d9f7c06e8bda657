import type { EventKind } from '../events/events.ts'
import {
  type CampaignStatus,
  type MessageStatus,
  type NumberStatus,
  numberStatuses,
  type ReminderStatus,
} from './states.ts'

/** One allowed move: from any of `from` (null is "not there yet") to `to`. */
export interface Move<S extends string> {
  readonly from: readonly (S | null)[]
  readonly to: S
  /** What moves it, as one stable word. */
  readonly by: string
  /** The condition, for a person. */
  readonly when: string
  /** The event that may go with the move; `when` names the condition if it does not always. */
  readonly event?: EventKind
}

/** Whether any of `moves` leads from `from` to `to`. Staying where one is, is no move. */
export function mayMove<S extends string>(moves: readonly Move<S>[], from: S | null, to: S): boolean {
  return moves.some((move) => move.to === to && move.from.includes(from))
}

/**
 * How a message may move. A receipt raises the rank and never lowers it. While a message is queued only a try that timed
 * out can have brought a receipt, which settles it and takes it out of the queue.
 */
export const messageMoves: readonly Move<MessageStatus>[] = [
  { from: [null], to: 'queued', by: 'accept', when: 'A text, batch, campaign or reminder message is accepted.' },
  { from: [null], to: 'sending', by: 'direct_send', when: 'A direct send is accepted, before the network is called.' },
  { from: ['queued'], to: 'sending', by: 'claim', when: 'A worker takes it: its number works and its pace allows.' },
  { from: ['sending'], to: 'sent', by: 'network', when: 'The network took it.' },
  { from: ['sending'], to: 'queued', by: 'retry', when: 'A queued kind certainly did not go out; at most 5 times.' },
  {
    from: ['sending'],
    to: 'failed',
    by: 'refusal',
    when: 'It is refused for good, out of attempts, not sent at once (direct sends), or its outcome is unknown for 10 min.',
    event: 'message.failed',
  },
  {
    from: ['queued'],
    to: 'failed',
    by: 'give_up',
    when: 'It is cancelled, discarded or not sendable for 24 h, or its number or product is gone.',
    event: 'message.failed',
  },
  {
    from: ['queued', 'sending', 'sent'],
    to: 'failed',
    by: 'receipt',
    when: 'The network reports that it could not deliver it.',
    event: 'message.failed',
  },
  {
    from: ['queued', 'sending', 'failed'],
    to: 'sent',
    by: 'receipt',
    when: 'The network reports on its own that it took it; a failed message only by its own network id.',
    event: 'message.sent',
  },
  {
    from: ['queued', 'sending', 'sent', 'failed'],
    to: 'delivered',
    by: 'receipt',
    when: 'It reached the phone; a failed message only by its own network id.',
    event: 'message.delivered',
  },
  {
    from: ['queued', 'sending', 'sent', 'delivered', 'failed'],
    to: 'read',
    by: 'receipt',
    when: 'It was read; a failed message only by its own network id.',
    event: 'message.read',
  },
]

/** How a campaign may move. */
export const campaignMoves: readonly Move<CampaignStatus>[] = [
  { from: [null], to: 'draft', by: 'create', when: 'It is created without scheduledAt.' },
  { from: [null], to: 'scheduled', by: 'create', when: 'It is created with scheduledAt.' },
  { from: ['draft'], to: 'scheduled', by: 'update', when: 'A PUT sets scheduledAt.' },
  { from: ['scheduled'], to: 'draft', by: 'update', when: 'A PUT sets scheduledAt to null.' },
  { from: ['draft', 'scheduled'], to: 'sending', by: 'send', when: 'It is sent now.' },
  { from: ['scheduled'], to: 'sending', by: 'start_time', when: 'Its start time is reached; checked every minute.' },
  { from: ['scheduled'], to: 'draft', by: 'give_up', when: 'It could not start for 60 min; startError says why.' },
  { from: ['sending'], to: 'paused', by: 'pause', when: 'It is paused; unsent messages are removed.' },
  { from: ['paused'], to: 'sending', by: 'resume', when: 'It is resumed; only the remaining messages are queued.' },
  { from: ['scheduled', 'paused'], to: 'cancelled', by: 'cancel', when: 'It is cancelled.' },
  { from: ['sending'], to: 'completed', by: 'finish', when: 'Every recipient is sent, delivered, read or failed.' },
]

/** The statuses in which a campaign takes each action; anything else answers CAMPAIGN_INVALID_STATE. */
export const campaignAllows = {
  update: ['draft', 'scheduled'],
  send: ['draft', 'scheduled'],
  pause: ['sending'],
  resume: ['paused'],
  cancel: ['scheduled', 'paused'],
  delete: ['draft', 'scheduled', 'paused', 'completed', 'cancelled'],
} as const satisfies Record<string, readonly CampaignStatus[]>

/** How a reminder may move. */
export const reminderMoves: readonly Move<ReminderStatus>[] = [
  { from: [null], to: 'scheduled', by: 'create', when: 'It is created or imported.' },
  { from: ['scheduled'], to: 'processing', by: 'scan', when: 'The 30 s scan finds it due and takes it.' },
  { from: ['processing'], to: 'done', by: 'send', when: 'It does not repeat, and its message is queued.' },
  { from: ['processing'], to: 'scheduled', by: 'repeat', when: 'It repeats: sendAt moves to the next occurrence.' },
  { from: ['processing'], to: 'scheduled', by: 'retry', when: 'A passing failure, for at most 60 min.' },
  {
    from: ['processing'],
    to: 'failed',
    by: 'refusal',
    when: 'It is refused for good, failing for 60 min, over 1 h late, without its number, or 5 repeats failed in a row.',
  },
  { from: ['scheduled'], to: 'cancelled', by: 'cancel', when: 'It is cancelled; it stays in the list.' },
  { from: ['done', 'failed', 'cancelled'], to: 'scheduled', by: 'rearm', when: 'A PUT gives a new sendAt.' },
]

/** The statuses in which a reminder takes each action; anything else answers FORBIDDEN_ACTION. */
export const reminderAllows = {
  update: ['scheduled'],
  rearm: ['scheduled', 'done', 'failed', 'cancelled'],
  cancel: ['scheduled'],
} as const satisfies Record<string, readonly ReminderStatus[]>

const allBut = (status: NumberStatus): NumberStatus[] => numberStatuses.filter((other) => other !== status)

/** How a number's connection may move. */
export const numberMoves: readonly Move<NumberStatus>[] = [
  { from: [null], to: 'STARTING', by: 'create', when: 'It is added, and started at once.' },
  { from: ['STOPPED'], to: 'STARTING', by: 'start', when: 'It is started.' },
  { from: ['FAILED'], to: 'STARTING', by: 'supervisor', when: 'The supervisor, start or reconnect tries again.' },
  {
    from: ['STARTING'],
    to: 'WORKING',
    by: 'network',
    when: 'Its link is accepted. The event only after a disconnected or needs_scan.',
    event: 'session.recovered',
  },
  {
    from: ['STARTING'],
    to: 'SCAN_QR_CODE',
    by: 'network',
    when: 'It has no link. The event only if it was ever linked.',
    event: 'session.needs_scan',
  },
  {
    from: ['SCAN_QR_CODE'],
    to: 'WORKING',
    by: 'link',
    when: 'The QR is scanned or the pairing code typed. The event only if it was ever linked.',
    event: 'session.recovered',
  },
  {
    from: ['SCAN_QR_CODE'],
    to: 'STARTING',
    by: 'link',
    when: 'The QR is scanned or the pairing code typed, and the network takes a moment to accept it.',
  },
  {
    from: ['SCAN_QR_CODE'],
    to: 'FAILED',
    by: 'qr_unused',
    when: 'Six QR rounds pass unused. The event only if it was ever linked.',
    event: 'session.disconnected',
  },
  { from: ['WORKING'], to: 'STARTING', by: 'network', when: 'The link hiccups, or a reconnect restarts it.' },
  {
    from: ['WORKING', 'STARTING'],
    to: 'FAILED',
    by: 'network',
    when: 'It is not back in 30 s, or nothing it sends is acknowledged.',
    event: 'session.disconnected',
  },
  {
    from: ['WORKING'],
    to: 'SCAN_QR_CODE',
    by: 'unlink',
    when: 'The phone unlinked it, or it was logged out.',
    event: 'session.needs_scan',
  },
  { from: allBut('STOPPED'), to: 'STOPPED', by: 'stop', when: 'It is stopped, or the organization has no product.' },
  {
    from: allBut('UNREACHABLE'),
    to: 'UNREACHABLE',
    by: 'host_down',
    when: 'Its host does not answer three probes. The event carries reason instance_down.',
    event: 'session.disconnected',
  },
  ...allBut('UNREACHABLE').map(
    (status): Move<NumberStatus> => ({
      from: ['UNREACHABLE'],
      to: status,
      by: 'host_up',
      when: 'Its host answers again: it is what it was. The event when it works again.',
      ...(status === 'WORKING' && { event: 'session.recovered' }),
    }),
  ),
]
