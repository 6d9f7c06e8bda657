import { setTimeout as wait } from 'node:timers/promises'
import { GatewayError } from '@msgctl/network/errors'
import type { Content, GatewaySession, MessageRef, NetAddress, SendOptions, SendReceipt } from '@msgctl/network/gateway'
import { startTimeLimit } from '@msgctl/network/timeout'
import {
  type ConnectionReader,
  isRestricted,
  type UsableConnection,
} from '#networks/simulator/connection/connection.ts'
import type { KnownMessage } from '#networks/simulator/connection/store.ts'
import type { SimContext } from '#networks/simulator/context.ts'
import { isPending } from '#networks/simulator/events/store.ts'
import { addressText, type Person, personAt } from '#networks/simulator/people/people.ts'
import { lasting, scaled } from '#networks/simulator/random.ts'
import { restrict } from '#networks/simulator/sessions/store.ts'
import { batcher } from '#platform/concurrency/batcher.ts'
import { isTaken, planSend, receive, type SendPlan, type StoredContent } from './plan.ts'
import { readKnown, type Write, write } from './store.ts'
import { toWrite } from './to-write.ts'

/** Either what the service hands over, or what the network already holds (a forwarded message). */
type Outgoing = Content | { readonly kind: 'stored'; readonly content: StoredContent }

export type Sender = (
  session: GatewaySession,
  to: NetAddress,
  content: Outgoing,
  options: SendOptions,
) => Promise<SendReceipt>

const restrictedMs = 300_000
const receiptFirstMs = 1000

/**
 * Creates the function that sends. The message is written when the network accepts it, and the response follows
 * `acceptMs` later. A caller that dies or gives up in between leaves a message that was sent, as with a real network.
 */
export function sender(ctx: SimContext, readConnection: ConnectionReader): Sender {
  const { speed, seed } = ctx.config.simulator
  const store = batcher<Write, boolean>((writes) => write(ctx.db, writes), {
    maxItems: 500,
    waitMs: 2,
    maxInFlight: 2,
  })

  async function send(
    session: GatewaySession,
    person: Person,
    to: NetAddress,
    outgoing: Outgoing,
    call: Call,
  ): Promise<SendReceipt> {
    const { clientId } = call.options
    const seen = await readConnection(session, [clientId])
    const known = seen.messages.get(clientId)
    if (known) return repeated(session, known)
    const content = outgoing.kind === 'stored' ? outgoing.content : await receive(outgoing, call.signal)
    const plan = planSend({
      person,
      clientId,
      seed,
      faults: seen.faults,
      earlierFaults: seen.hits.get(clientId) ?? 0,
      isPoll: content.kind === 'poll',
      isVoice: content.kind === 'voice',
    })
    const acceptMs = scaled(plan.acceptMs, speed) + (seen.faults.latencyMs ?? 0)
    const hit = plan.fault ? { containerId: session.containerId, key: clientId } : undefined
    if (!isTaken(plan)) {
      if (hit) await store({ hit })
      // The driver has it, and the network never acknowledges it.
      if (plan.ends === 'unacknowledged') return { ref: refOf(session, clientId, addressText(to)), status: 'pending' }
      return refuse(session, plan, acceptMs, call)
    }
    return take(session, { person, to, content, plan, acceptMs, seen, hit }, call)
  }

  async function take(session: GatewaySession, accepted: AcceptedSend, call: Call): Promise<SendReceipt> {
    const { clientId, typed = false } = call.options
    const { plan, acceptMs } = accepted
    // The id that the service chose is the message's id on the network.
    const id = clientId
    call.signal.throwIfAborted()
    call.written = true
    const kept = await store({
      ...toWrite({ ...accepted, session, clientId, networkId: id, typed, speed }),
      ...(accepted.hit ? { hit: accepted.hit } : {}),
    })
    if (!kept) return repeated(session, (await readKnown(ctx.db, session, clientId)) as KnownMessage)
    if (plan.ends === 'times_out_sent') return timeOut(call)
    await wait(acceptMs, undefined, { signal: call.signal })
    if (accepted.person.receiptFirst) await untilReported(session.containerId, id, call.signal)
    return { ref: refOf(session, id, addressText(accepted.to)), status: plan.ends === 'taken' ? 'sent' : 'pending' }
  }

  async function refuse(session: GatewaySession, plan: SendPlan, acceptMs: number, call: Call): Promise<never> {
    if (plan.ends === 'times_out_not_sent') return timeOut(call)
    await wait(acceptMs, undefined, { signal: call.signal })
    switch (plan.ends) {
      case 'not_on_network':
        throw new GatewayError('recipient', 'The recipient is not on the network.')
      case 'unreachable':
        throw new GatewayError('unreachable', 'The network could not be reached.')
      case 'session':
        throw new GatewayError('session', 'The number lost its connection.')
      case 'restricts_the_account': {
        const ms = lasting(restrictedMs, speed)
        await restrict(ctx.db, session, ms)
        throw isRestricted(ms)
      }
      default:
        throw new GatewayError('rejected', 'The network refused the message.')
    }
  }

  /** The network does not respond until the caller's timeout; at speed 0 that is at once. */
  async function timeOut(call: Call): Promise<never> {
    await wait(Math.min(scaled(call.options.timeoutMs, speed), call.options.timeoutMs), undefined, {
      signal: call.signal,
    })
    throw new GatewayError('timeout', 'The network did not respond in time.')
  }

  /** Waits until the first receipt was reported, or for a second without a subscriber. */
  async function untilReported(containerId: string, id: string, signal: AbortSignal): Promise<void> {
    for (let waitedMs = 0; waitedMs < receiptFirstMs && (await isPending(ctx.db, containerId, id)); waitedMs += 10) {
      await wait(10, undefined, { signal })
    }
  }

  return async (session, to, content, options) => {
    const person = personAt(to)
    if (!person) throw new GatewayError('recipient', 'The recipient is not on the network.')
    const limit = startTimeLimit(options.timeoutMs, options.signal)
    const call: Call = { options, signal: limit.signal, written: false }
    return whileWaiting(call, send(session, person, to, content, call), ctx).finally(limit.end)
  }
}

interface Call {
  readonly options: SendOptions
  /** Fires when the caller's time is over or the caller gave up. */
  readonly signal: AbortSignal
  /** Whether the network may have got the message. */
  written: boolean
}

interface AcceptedSend {
  readonly person: Person
  readonly to: NetAddress
  readonly content: StoredContent
  readonly plan: SendPlan
  readonly acceptMs: number
  readonly seen: UsableConnection
  readonly hit: Write['hit']
}

/** Ends the call when its signal fires, with the outcome that is known then. */
async function whileWaiting(call: Call, work: Promise<SendReceipt>, ctx: SimContext): Promise<SendReceipt> {
  const outcome = () => (call.written ? 'unknown' : 'not_sent')
  const { signal } = call
  const gaveUp = () => new GatewayError('timeout', 'The network did not respond in time.', { outcome: outcome() })
  let giveUp: () => void = () => undefined
  const ended = new Promise<never>((_, reject) => {
    giveUp = () => reject(gaveUp())
  })
  if (signal.aborted) giveUp()
  else signal.addEventListener('abort', giveUp, { once: true })
  try {
    return await Promise.race([work, ended])
  } catch (error) {
    if (error instanceof GatewayError) throw error
    if (signal.aborted) throw gaveUp()
    ctx.log.warn({ event: 'simulator_send_failed', err: error }, 'failed to send through the simulated network')
    throw new GatewayError('unreachable', 'The network broke off the connection.', { outcome: outcome() })
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
}

function refOf(session: GatewaySession, id: string, chat: string): MessageRef {
  const address: NetAddress = chat.endsWith('@lid') ? { kind: 'lid', id: chat } : { kind: 'phone', digits: chat }
  return { networkId: id, chat: address, raw: { id: `true_${chat}_${id}`, session: session.containerId } }
}

function repeated(session: GatewaySession, known: KnownMessage): SendReceipt {
  return { ref: refOf(session, known.networkId, known.chat), status: known.failed ? 'pending' : 'sent' }
}
