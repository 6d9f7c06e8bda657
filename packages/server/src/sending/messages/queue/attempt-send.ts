import { messageErrorCodes } from '@msgctl/contract'
import type { GatewaySession, NetAddress } from '@msgctl/network/gateway'
import { toNetworkAddress } from '#networks/gateway/address.ts'
import { withGatewayTimeout } from '#networks/gateway/timeout.ts'
import { requestRecheck } from '#numbers/connection/recheck.ts'
import { noteRefusedChat } from '#numbers/connection/refused-chat.ts'
import { noteRestriction } from '#numbers/connection/restriction.ts'
import { atWork, crashPoint } from '#platform/crash-points.ts'
import type { Clock } from '#platform/db/clock.ts'
import type { Services } from '#services.ts'
import { beginCampaignMessage } from './begin-store.ts'
import { type CampaignLimiter, processTime, waitForSlot } from './campaign-limiter.ts'
import type { ServiceTimer } from './dispatch.ts'
import { afterFailure, type MessageOutcome } from './outcome.ts'
import type { OutcomeWriter } from './outcome-writer.ts'
import type { MinInterval } from './pace.ts'
import type { ClaimedMessage } from './queue-store.ts'

/** A claimed message with its times, the token of its claim and the end of its lease, in service time. */
export interface ClaimedSend extends ClaimedMessage {
  readonly token: string
  readonly leaseUntil: Date
  readonly typingAt: Date | null
  readonly sendAt: Date
}

const sendTimeoutMs = 30_000
/** When a driver that ignores its time limit is abandoned. */
const sendDeadlineMs = sendTimeoutMs + 2000
/** The lease that must remain when a send begins: for the send itself and for writing its outcome. */
const leaseMarginMs = sendTimeoutMs + 5000

const releasedOutcome: MessageOutcome = { is: 'released' }

/** What a claimed message waits for: its time, unless its number goes down before. */
interface SendContext {
  readonly timer: ServiceTimer
  readonly interval: MinInterval
  readonly limiter: CampaignLimiter
  /** Aborts when the number can send no more. */
  readonly cancelSignal: AbortSignal
}

/** Types and sends one message at its time, and passes its outcome on. Never throws. */
export async function attemptSend(
  services: Services,
  message: ClaimedSend,
  context: SendContext,
  outcomes: OutcomeWriter,
): Promise<void> {
  const outcome = await attempt(services, message, context)
  if (outcome) {
    if (outcome.is === 'sent')
      services.metrics.messageHanded(message.type, (outcome.at.getTime() - message.dueAt.getTime()) / 1000)
    outcomes.add({ id: message.id, containerId: message.containerId, token: message.token, outcome })
  }
}

async function attempt(services: Services, message: ClaimedSend, context: SendContext): Promise<MessageOutcome | null> {
  const { timer, cancelSignal } = context
  const processClock = processTime(services.clock)
  const session = { containerId: message.containerId, organizationId: message.organizationId }
  const to = toNetworkAddress(message.address ?? message.recipient)
  if (message.typingAt) {
    if (!(await timer.waitUntil(message.typingAt, cancelSignal))) return releasedOutcome
    if (message.campaignId !== null && context.limiter.isBehind(message, message.sendAt)) return releasedOutcome
    // The indicator is a courtesy: a failure to show it must not delay the message.
    services.gateway.typing(session, to, true).catch(() => undefined)
  }
  if (!(await timer.waitUntil(message.sendAt, cancelSignal))) return releasedOutcome
  const refusal = await (message.campaignId === null
    ? textRefusal(services, message, context)
    : campaignRefusal(services, message, { ...context, processClock }))
  return refusal ?? handOver(services, message, session, to)
}

async function handOver(
  services: Services,
  message: ClaimedSend,
  session: GatewaySession,
  to: NetAddress,
): Promise<MessageOutcome> {
  const { clock, gateway } = services
  crashPoint('queue.before-network')
  await atWork('messages', [message.organizationId])
  try {
    const { ref, status } = await withGatewayTimeout(
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
    void requestRecheck(services, session, error)
    const now = clock.now()
    await noteRefusedChat(services, { ...session, messageId: message.id }, error)
    await noteRestriction(services, session, error, now)
    return afterFailure(error, message, { now, random: Math.random() })
  }
}

/** Returns why a text is not sent at its time; null when it is. */
async function textRefusal(
  { clock }: Services,
  message: ClaimedSend,
  { timer, interval, cancelSignal }: SendContext,
): Promise<MessageOutcome | null> {
  if (message.priority !== 'high') {
    const freeAt = interval.reserve(message.containerId, clock.now())
    if (!(await timer.waitUntil(freeAt, cancelSignal))) return releasedOutcome
  }
  return hasEnoughLease(message, clock) ? null : releasedOutcome
}

/** Returns whether enough of the lease remains. Otherwise another worker may claim the message during the send. */
function hasEnoughLease({ leaseUntil }: ClaimedSend, clock: Clock): boolean {
  return leaseUntil.getTime() - clock.now().getTime() >= leaseMarginMs
}

/** Returns why a campaign message is not sent at its time; null when it is. */
async function campaignRefusal(
  services: Services,
  message: ClaimedSend,
  { limiter, processClock, ...context }: SendContext & { readonly processClock: Pick<Clock, 'now'> },
): Promise<MessageOutcome | null> {
  const { clock } = services
  const mayLeave = async () =>
    hasEnoughLease(message, clock) ? startCampaignMessage(services, message) : releasedOutcome
  const refusal = await waitForSlot(
    limiter,
    message,
    { planned: message.sendAt, mayLeave },
    { ...context, clock: processClock },
  )
  if (refusal !== null) return refusal === 'released' ? releasedOutcome : refusal
  return hasEnoughLease(message, clock) ? null : releasedOutcome
}

/** Checks whether the campaign still sends, and to this recipient; returns the outcome of the message if not. */
async function startCampaignMessage(
  { db, clock, log }: Services,
  message: ClaimedSend,
): Promise<MessageOutcome | null> {
  try {
    const started = await beginCampaignMessage(db, message)
    // A paused or cancelled campaign removes its message once the claim is undone.
    if (!started) return releasedOutcome
    crashPoint('campaign-message.begun')
    const { refusal } = started
    return refusal && { is: 'failed', code: refusal, error: messageErrorCodes[refusal], at: clock.now() }
  } catch (error) {
    log.warn({ event: 'campaign_check_failed', err: error }, 'failed to read the campaign of a message')
    return releasedOutcome
  }
}
