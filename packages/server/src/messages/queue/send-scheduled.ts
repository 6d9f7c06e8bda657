import { inTime } from '../../concurrency/deadline.ts'
import { crashPoint } from '../../crash-points.ts'
import type { Clock } from '../../db/clock.ts'
import type { GatewaySession, NetAddress } from '../../gateway/gateway.ts'
import { suspectNumber } from '../../numbers/connection/suspect.ts'
import type { Services } from '../../services.ts'
import type { Alarm } from './alarm.ts'
import { beginCampaignMessage } from './begin-store.ts'
import { type CampaignTurns, livedTime, passInTurn } from './campaign-turns.ts'
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

const released: Outcome = { is: 'released' }

/** What a claimed message waits for: its time, unless its number goes down before. */
interface Turn {
  readonly alarm: Alarm
  readonly spacing: Spacing
  readonly turns: CampaignTurns
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

async function attempt(services: Services, message: Scheduled, turn: Turn): Promise<Outcome | null> {
  const { alarm, recalled } = turn
  const lived = livedTime(services.clock)
  const session = { containerId: message.containerId, organizationId: message.organizationId }
  const to = addressOf(message.recipient)
  if (message.typingAt) {
    if (!(await alarm.reached(message.typingAt, recalled))) return released
    if (message.campaignId !== null && turn.turns.isBehind(message, message.sendAt)) return released
    // The indicator is a courtesy: a failure to show it must not hold the message back.
    services.gateway.typing(session, to, true).catch(() => undefined)
  }
  if (!(await alarm.reached(message.sendAt, recalled))) return released
  const held = await (message.campaignId === null
    ? textHolds(services, message, turn)
    : campaignHolds(services, message, { ...turn, lived }))
  return held ?? handOver(services, message, session, to)
}

async function handOver(
  services: Services,
  message: Scheduled,
  session: GatewaySession,
  to: NetAddress,
): Promise<Outcome> {
  const { clock, gateway } = services
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

/** What keeps a text from being sent when its time has come; null when nothing does. */
async function textHolds(
  { clock }: Services,
  message: Scheduled,
  { alarm, spacing, recalled }: Turn,
): Promise<Outcome | null> {
  if (message.priority !== 'high') {
    const freeAt = spacing.next(message.containerId, clock.now())
    if (!(await alarm.reached(freeAt, recalled))) return released
  }
  return hasLease(message, clock) ? null : released
}

/** Without enough lease somebody else may take a message over while we send; then it is theirs. */
function hasLease({ leaseUntil }: Scheduled, clock: Clock): boolean {
  return leaseUntil.getTime() - clock.now().getTime() >= leaseMarginMs
}

/** What keeps a campaign message from being sent when its time has come; null when nothing does. */
async function campaignHolds(
  services: Services,
  message: Scheduled,
  { turns, lived, ...turn }: Turn & { readonly lived: Pick<Clock, 'now'> },
): Promise<Outcome | null> {
  const { clock } = services
  const mayLeave = async () => (hasLease(message, clock) ? begin(services, message) : released)
  const held = await passInTurn(turns, message, { planned: message.sendAt, mayLeave }, { ...turn, clock: lived })
  if (held !== null) return held === 'recalled' ? released : held
  return hasLease(message, clock) ? null : released
}

/** Asks whether the campaign still sends, and to this recipient; answers what becomes of the message if not. */
async function begin({ db, clock, log }: Services, message: Scheduled): Promise<Outcome | null> {
  try {
    const begun = await beginCampaignMessage(db, message)
    // A paused or cancelled campaign takes its message back when the claim is undone.
    if (!begun) return released
    crashPoint('campaign-message.begun')
    const { refusal } = begun
    return refusal && { is: 'failed', code: refusal, error: refusals[refusal], at: clock.now() }
  } catch (error) {
    log.warn({ err: error }, 'the campaign of a message could not be looked at')
    return released
  }
}

/** The network's address of a stored recipient: digits, or a hidden id. */
export function addressOf(recipient: string): NetAddress {
  return recipient.endsWith('@lid') ? { kind: 'lid', id: recipient } : { kind: 'phone', digits: recipient }
}
