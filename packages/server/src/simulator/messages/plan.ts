import type { ReceiptStatus } from '../../gateway/gateway.ts'
import { type FaultSettings, faultFor } from '../faults.ts'
import { type Answer, answerAfterMs, type Person, type Reception } from '../people/people.ts'
import { between, type Draws, draws } from '../random.ts'

/** What will become of one send; times in milliseconds at speed 1. */
export interface SendPlan {
  /** How the call ends; all but `taken` are errors. */
  readonly ends: Reception | 'not_on_network' | 'unacknowledged' | 'unreachable' | 'session'
  /** Whether a fault that was ordered decided it, and not the person. */
  readonly fault: boolean
  /** How long the network takes to respond. */
  readonly acceptMs: number
  /** Receipts, counted from the moment the network has taken the message. */
  readonly receipts: readonly { readonly status: ReceiptStatus; readonly afterMs: number }[]
  readonly answer: { readonly kind: Answer; readonly afterMs: number } | null
}

type Ends = SendPlan['ends']

const faultEnds = {
  timeout_not_sent: 'times_out_not_sent',
  timeout_sent: 'times_out_sent',
  unacknowledged: 'unacknowledged',
  rejected: 'refused',
  unreachable: 'unreachable',
  session: 'session',
} as const satisfies Record<string, Ends>

const reachesTheNetwork: ReadonlySet<Ends> = new Set<Ends>(['taken', 'taken_then_fails', 'times_out_sent'])

/** Whether the network takes the message, so that it may reach a phone although the caller sees an error. */
export function isTaken(plan: SendPlan): boolean {
  return reachesTheNetwork.has(plan.ends)
}

/**
 * Decides everything about one send. The same seed, client id and number of earlier faults give the same plan; whether
 * a person reads at all hangs on the person alone.
 */
export function planSend(input: {
  readonly person: Person
  readonly clientId: string
  readonly seed: number
  readonly faults: FaultSettings
  /** How many faults have hit this very message before. */
  readonly earlierFaults: number
  readonly isPoll: boolean
  readonly isVoice: boolean
}): SendPlan {
  const { person, faults } = input
  const chance = draws(input.seed, 'send', input.clientId)
  const fault = faultFor(faults.send, draws(input.seed, 'send fault', input.clientId, input.earlierFaults)(0))
  const ends = fault ? faultEnds[fault] : person.onNetwork ? person.reception : 'not_on_network'
  const receipts = person.receipts?.map(([status, afterMs]) => ({ status, afterMs })) ?? usualReceipts(input, chance)
  const read = receipts.find(({ status }) => status === 'read')
  return {
    ends,
    fault: fault !== null,
    acceptMs: person.acceptMs ?? between(50, 250, chance(0)),
    receipts: input.isVoice && read ? [...receipts, { status: 'played', afterMs: read.afterMs + 1000 }] : receipts,
    answer:
      person.answer && (person.answer !== 'vote' || input.isPoll)
        ? { kind: person.answer, afterMs: answerAfterMs }
        : null,
  }
}

function usualReceipts(input: { person: Person; seed: number }, chance: Draws): SendPlan['receipts'] {
  const deliveredMs = between(400, 2000, chance(1))
  const delivered = { status: 'delivered', afterMs: deliveredMs } as const
  const reads = draws(input.seed, 'reads', input.person.digits)(0) < 0.7
  return reads ? [delivered, { status: 'read', afterMs: deliveredMs + between(2000, 8000, chance(2)) }] : [delivered]
}

/** What a question about one number comes to. */
export type CheckPlan = {
  readonly answer: boolean | 'times_out' | 'unreachable' | 'session'
  readonly fault: boolean
  readonly latencyMs: number
}

/** Plans the check of one number; deterministic like {@link planSend}. */
export function planCheck(input: {
  readonly person: Person
  readonly seed: number
  readonly faults: FaultSettings
  readonly earlierFaults: number
}): CheckPlan {
  const { person, seed } = input
  const latencyMs = between(5, 40, draws(seed, 'check', person.digits)(0))
  const fault = faultFor(input.faults.check, draws(seed, 'check fault', person.digits, input.earlierFaults)(0))
  if (fault) return { answer: fault === 'timeout' ? 'times_out' : fault, fault: true, latencyMs }
  return { answer: person.checkTimesOut ? 'times_out' : person.onNetwork, fault: false, latencyMs }
}
