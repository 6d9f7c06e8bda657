import { crashPoint } from '../crash-points.ts'
import { inTime } from '../gateway/deadline.ts'
import type { NetAddress } from '../gateway/gateway.ts'
import { suspectNumber } from '../numbers/suspect.ts'
import type { Services } from '../services.ts'
import type { Alarm } from './alarm.ts'
import { beginCampaignMessage } from './begin-store.ts'
import { afterFailure, type Outcome } from './outcome.ts'
import type { OutcomeWriter } from './outcome-writer.ts'
import type { ClaimedMessage } from './queue-store.ts'
import type { Spacing } from './spacing.ts'

/** A claimed message with its times, its claim's token and the end of its lease, in service time. */
export interface Scheduled extends ClaimedMessage {
  readonly token: string
  readonly leaseUntil: Date
  readonly typingAt: Date | null
  readonly sendAt: Date
}

const sendTimeoutMs = 30_000
/** When a driver that ignores the time it was given is given up. */
const sendDeadlineMs = sendTimeoutMs + 2000
/** What must be left of the lease when a send begins: the send itself and the writing of its outcome. */
const leaseMarginMs = sendTimeoutMs + 5000

/** What a claimed message waits for: its time, unless its number goes down before. */
interface Turn {
  readonly alarm: Alarm
  readonly spacing: Spacing
  /** Aborts when the number can send no more. */
  readonly recalled: AbortSignal
}

/** Types and sends one message in its turn, and hands over what became of it. Never throws. */
export async function sendScheduled(
  services: Services,
  message: Scheduled,
  turn: Turn,
  outcomes: OutcomeWriter,
): Promise<void> {
  const outcome = await attempt(services, message, turn)
  if (outcome) {
    outcomes.add({ id: message.id, containerId: message.containerId, token: message.token, outcome })
  }
}

async function attempt(
  services: Services,
  message: Scheduled,
  { alarm, spacing, recalled }: Turn,
): Promise<Outcome | null> {
  const { clock, gateway } = services
  const session = { containerId: message.containerId, organizationId: message.organizationId }
  const to = addressOf(message.recipient)
  if (message.typingAt) {
    if (!(await alarm.reached(message.typingAt, recalled))) return { is: 'released' }
    // The indicator is a courtesy: a failure to show it must not hold the message back.
    gateway.typing(session, to, true).catch(() => undefined)
  }
  if (!(await alarm.reached(message.sendAt, recalled))) return { is: 'released' }
  // Messages of campaigns keep the longer distances of their own.
  if (message.priority !== 'high' && message.campaignId === null) {
    const freeAt = spacing.next(message.containerId, clock.now())
    if (!(await alarm.reached(freeAt, recalled))) return { is: 'released' }
  }
  // Without enough lease somebody else may take it over while we send; then it is theirs.
  if (message.leaseUntil.getTime() - clock.now().getTime() < leaseMarginMs) return { is: 'released' }
  const held = message.campaignId === null ? null : await campaignHolds(services, message)
  if (held) return held
  crashPoint('queue.before-network')
  try {
    const { ref, status } = await inTime(
      sendDeadlineMs,
      gateway.send(
        session,
        to,
        { kind: 'text', text: message.content, linkPreview: true },
        { clientId: message.networkClientId, timeoutMs: sendTimeoutMs, typed: message.typingAt !== null },
      ),
    )
    crashPoint('queue.taken-by-network')
    const acknowledged = status === 'sent'
    return { is: 'sent', networkId: ref.networkId, raw: ref.raw, at: clock.now(), acknowledged }
  } catch (error) {
    void suspectNumber(services, session, error)
    const chosenIds = gateway.caps.has('clientMessageId')
    return afterFailure(error, message, { now: clock.now(), random: Math.random(), chosenIds })
  }
}

const refusals = {
  NUMBER_NOT_ON_NETWORK: 'the recipient is not on the network',
  RECIPIENT_OPTED_OUT: 'the recipient asked not to get campaigns',
} as const

/** What keeps a campaign message from being sent when its time has come; null when nothing does. */
async function campaignHolds({ db, clock, log }: Services, message: Scheduled): Promise<Outcome | null> {
  try {
    const begun = await beginCampaignMessage(db, message)
    // A paused or cancelled campaign takes its message back when the claim is undone.
    if (!begun) return { is: 'released' }
    crashPoint('campaign-message.begun')
    const { refusal } = begun
    return refusal && { is: 'failed', code: refusal, error: refusals[refusal], at: clock.now() }
  } catch (error) {
    log.warn({ err: error }, 'the campaign of a message could not be looked at')
    return { is: 'released' }
  }
}

/** The network's address of a stored recipient: digits, or a hidden id. */
export function addressOf(recipient: string): NetAddress {
  return recipient.endsWith('@lid') ? { kind: 'lid', id: recipient } : { kind: 'phone', digits: recipient }
}
