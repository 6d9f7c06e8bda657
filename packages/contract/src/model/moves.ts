import type { EventKind } from '../events/events.ts'
import {
  type CampaignStatus,
  type MessageStatus,
  type NumberStatus,
  numberStatuses,
  type ReminderStatus,
} from './states.ts'

/** One allowed transition: from any state in `from` (null: before it exists) to the state `to`. */
export interface Move<S extends string> {
  readonly from: readonly (S | null)[]
  readonly to: S
  /** The cause, as one stable word. */
  readonly by: string
  /** The condition in words. */
  readonly when: string
  /** The event that the transition emits; `when` names the condition if it does not always. */
  readonly event?: EventKind
}

/** Returns whether any of `moves` leads from `from` to `to`. Staying in a state is not a transition. */
export function mayMove<S extends string>(moves: readonly Move<S>[], from: S | null, to: S): boolean {
  return moves.some((move) => move.to === to && move.from.includes(from))
}

/**
 * The transitions of a message. A receipt raises the rank and never lowers it. A queued message can get a receipt only
 * from an earlier attempt that timed out; the receipt then decides its status and removes it from the queue.
 */
export const messageMoves: readonly Move<MessageStatus>[] = [
  { from: [null], to: 'queued', by: 'accept', when: 'A text, batch, campaign or reminder message is accepted.' },
  { from: [null], to: 'sending', by: 'direct_send', when: 'A direct send is accepted, before the network is called.' },
  {
    from: ['queued'],
    to: 'sending',
    by: 'claim',
    when: 'A worker claims it: its number works and its pace allows it.',
  },
  { from: ['sending'], to: 'sent', by: 'network', when: 'The network accepted it.' },
  {
    from: ['sending'],
    to: 'queued',
    by: 'retry',
    when: 'An attempt certainly did not send it; only queued kinds, at most 5 times.',
  },
  {
    from: ['sending'],
    to: 'failed',
    by: 'refusal',
    when:
      'It is rejected permanently, out of attempts, a direct send that failed, or its ' +
      'outcome is unknown for 10 min.',
    event: 'message.failed',
  },
  {
    from: ['queued'],
    to: 'failed',
    by: 'give_up',
    when: 'It is cancelled, discarded or could not be sent for 24 h, or its number or product was removed.',
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
    when: 'The network reports that it accepted it; a failed message only by its own network id.',
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

/** The transitions of a campaign. */
export const campaignMoves: readonly Move<CampaignStatus>[] = [
  { from: [null], to: 'draft', by: 'create', when: 'It is created without scheduledAt.' },
  { from: [null], to: 'scheduled', by: 'create', when: 'It is created with scheduledAt.' },
  { from: ['draft'], to: 'scheduled', by: 'update', when: 'A PUT sets scheduledAt.' },
  { from: ['scheduled'], to: 'draft', by: 'update', when: 'A PUT sets scheduledAt to null.' },
  { from: ['draft', 'scheduled'], to: 'sending', by: 'send', when: 'It is sent now.' },
  { from: ['scheduled'], to: 'sending', by: 'start_time', when: 'Its start time is reached; checked every minute.' },
  {
    from: ['scheduled'],
    to: 'draft',
    by: 'give_up',
    when: 'It could not start for 60 min; startError says why.',
    event: 'campaign.failed',
  },
  { from: ['sending'], to: 'paused', by: 'pause', when: 'It is paused; unsent messages are removed.' },
  { from: ['paused'], to: 'sending', by: 'resume', when: 'It is resumed; only the remaining messages are queued.' },
  { from: ['scheduled', 'paused'], to: 'cancelled', by: 'cancel', when: 'It is cancelled.' },
  {
    from: ['sending'],
    to: 'completed',
    by: 'finish',
    when: 'Every recipient is sent, delivered, read or failed.',
    event: 'campaign.completed',
  },
]

/** The statuses in which each action on a campaign is allowed; any other returns CAMPAIGN_INVALID_STATE. */
export const campaignAllows = {
  update: ['draft', 'scheduled'],
  send: ['draft', 'scheduled'],
  pause: ['sending'],
  resume: ['paused'],
  cancel: ['scheduled', 'paused'],
  delete: ['draft', 'scheduled', 'paused', 'completed', 'cancelled'],
} as const satisfies Record<string, readonly CampaignStatus[]>

/** The transitions of a reminder. */
export const reminderMoves: readonly Move<ReminderStatus>[] = [
  { from: [null], to: 'scheduled', by: 'create', when: 'It is created or imported.' },
  { from: ['scheduled'], to: 'processing', by: 'scan', when: 'The scan every 30 s finds it due and claims it.' },
  { from: ['processing'], to: 'done', by: 'send', when: 'It does not repeat, and its message is queued.' },
  { from: ['processing'], to: 'scheduled', by: 'repeat', when: 'It repeats: sendAt moves to the next occurrence.' },
  { from: ['processing'], to: 'scheduled', by: 'retry', when: 'A temporary failure, for at most 60 min.' },
  {
    from: ['processing'],
    to: 'failed',
    by: 'refusal',
    when:
      'It is rejected permanently, fails for 60 min, is over 1 h late, has lost its number, ' +
      'or 5 repeats failed in a row.',
  },
  { from: ['scheduled'], to: 'cancelled', by: 'cancel', when: 'It is cancelled; it stays in the list.' },
  { from: ['done', 'failed', 'cancelled'], to: 'scheduled', by: 'rearm', when: 'A PUT gives a new sendAt.' },
]

/** The statuses in which each action on a reminder is allowed; any other returns FORBIDDEN_ACTION. */
export const reminderAllows = {
  update: ['scheduled'],
  rearm: ['scheduled', 'done', 'failed', 'cancelled'],
  cancel: ['scheduled'],
} as const satisfies Record<string, readonly ReminderStatus[]>

const allBut = (status: NumberStatus): NumberStatus[] => numberStatuses.filter((other) => other !== status)

/** The transitions of a number's connection. */
export const numberMoves: readonly Move<NumberStatus>[] = [
  { from: [null], to: 'STARTING', by: 'create', when: 'It is added and started.' },
  { from: ['STOPPED'], to: 'STARTING', by: 'start', when: 'It is started.' },
  { from: ['FAILED'], to: 'STARTING', by: 'supervisor', when: 'The supervisor, start or reconnect retries.' },
  {
    from: ['STARTING'],
    to: 'WORKING',
    by: 'network',
    when: 'Its link is accepted. The event only after session.disconnected or session.needs_scan.',
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
    when: 'The QR is scanned or the pairing code entered. The event only if it was ever linked.',
    event: 'session.recovered',
  },
  {
    from: ['SCAN_QR_CODE'],
    to: 'STARTING',
    by: 'link',
    when: 'The QR is scanned or the pairing code entered, and the network has not accepted the link yet.',
  },
  {
    from: ['SCAN_QR_CODE'],
    to: 'FAILED',
    by: 'qr_unused',
    when: 'Six QR rounds pass unused. The event only if it was ever linked.',
    event: 'session.disconnected',
  },
  {
    from: ['WORKING'],
    to: 'STARTING',
    by: 'network',
    when: 'The connection drops for a moment, or a reconnect restarts it.',
  },
  {
    from: ['WORKING', 'STARTING'],
    to: 'FAILED',
    by: 'network',
    when: 'It is not back within 30 s, the network acknowledges none of its messages, or it refuses the account.',
    event: 'session.disconnected',
  },
  {
    from: ['WORKING'],
    to: 'SCAN_QR_CODE',
    by: 'unlink',
    when: 'The phone unlinked it, or it was logged out.',
    event: 'session.needs_scan',
  },
  {
    from: allBut('STOPPED'),
    to: 'STOPPED',
    by: 'stop',
    when: 'It is stopped, or the organization has no active product.',
  },
  {
    from: allBut('UNREACHABLE'),
    to: 'UNREACHABLE',
    by: 'host_down',
    when: 'Its host does not respond to three probes. The event carries reason instance_down.',
    event: 'session.disconnected',
  },
  ...allBut('UNREACHABLE').map(
    (status): Move<NumberStatus> => ({
      from: ['UNREACHABLE'],
      to: status,
      by: 'host_up',
      when: 'Its host responds again and reports its state. The event when it works again.',
      ...(status === 'WORKING' && { event: 'session.recovered' }),
    }),
  ),
]
