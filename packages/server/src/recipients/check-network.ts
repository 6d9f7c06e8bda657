import { inTime } from '../concurrency/deadline.ts'
import { GatewayError } from '../gateway/errors.ts'
import type { CheckResult, GatewaySession } from '../gateway/gateway.ts'
import type { Services } from '../services.ts'
import { type CheckCircuit, checkCircuit } from './check-circuit.ts'
import type { KnownCheck } from './check-store.ts'

/** How many numbers the network is asked about at a time (specification, "Validate numbers and batches"). */
const atATime = 5

/** When a driver is given up that heeds neither its own time nor the signal. */
const answerWithinMs = 27_000

/** Failures that the next question would meet as well: the number is not connected, or its account is limited. */
const lasting: ReadonlySet<string> = new Set(['session', 'restricted'])

/** One run of questions through a number, until it ends or it is no use to go on. */
export interface Asking {
  readonly services: Pick<Services, 'gateway' | 'clock' | 'log'>
  readonly session: GatewaySession
  readonly circuit: CheckCircuit
  /** Aborts when the caller left, or the time for the run is over; a question that is under way ends then. */
  readonly signal: AbortSignal
  /** No question begins after this, in service time. */
  readonly endsAt: Date
  /** Set when asking goes on no more; `retryAfterMs` when it is known how long that lasts. */
  stopped: { readonly retryAfterMs: number | undefined } | null
}

/** Begins a run. */
export function beginAsking(
  services: Asking['services'],
  session: GatewaySession,
  until: { readonly signal: AbortSignal; readonly endsAt: Date },
): Asking {
  return { services, session, ...until, circuit: checkCircuit(services.gateway, session.containerId), stopped: null }
}

/** Whether another question may begin; notes why not. */
export function mayAsk(asking: Asking): boolean {
  const now = asking.services.clock.now()
  const openMs = asking.circuit.openMs(now)
  if (asking.stopped === null && openMs > 0) asking.stopped = { retryAfterMs: openMs }
  if (asking.signal.aborted || now >= asking.endsAt) asking.stopped ??= { retryAfterMs: undefined }
  return asking.stopped === null
}

/**
 * Asks the network about numbers, five at a time: in one question where the network takes several numbers in one, else
 * in five questions side by side. Answers what was said; a number that is missing was not asked about, or had no answer.
 */
export async function askNetwork(asking: Asking, digits: readonly string[]): Promise<KnownCheck[]> {
  const together = asking.services.gateway.caps.has('batchCheck') ? atATime : 1
  const questions = inGroups(digits, together)
  const answers: KnownCheck[] = []
  let next = 0

  async function askInTurn(): Promise<void> {
    while (next < questions.length && mayAsk(asking)) {
      const question = questions[next++] ?? []
      answers.push(...(await askOnce(asking, question)))
    }
  }

  await Promise.all(Array.from({ length: atATime / together }, askInTurn))
  return answers
}

function inGroups(digits: readonly string[], size: number): string[][] {
  const count = Math.ceil(digits.length / size)
  return Array.from({ length: count }, (_, n) => digits.slice(n * size, (n + 1) * size))
}

async function askOnce(asking: Asking, digits: string[]): Promise<KnownCheck[]> {
  const { services, session, circuit, signal } = asking
  try {
    const said = await inTime(answerWithinMs, services.gateway.check(session, digits, signal))
    const answers = digits.flatMap((one) => knownFrom(one, said.get(one)))
    if (answers.length > 0) circuit.answered()
    else circuit.unanswered(digits[0] ?? '', services.clock.now())
    return answers
  } catch (error) {
    noteFailure(asking, digits, error)
    return []
  }
}

function noteFailure(asking: Asking, digits: readonly string[], error: unknown): void {
  // Who left, or whose time is over, has learnt nothing about the network.
  if (asking.signal.aborted) return
  const { services, session, circuit } = asking
  services.log.info({ err: error, containerId: session.containerId }, 'the network could not be asked about numbers')
  if (error instanceof GatewayError && lasting.has(error.kind)) {
    asking.stopped ??= { retryAfterMs: error.retryAfterMs }
    return
  }
  circuit.unanswered(digits[0] ?? '', services.clock.now())
}

function knownFrom(digits: string, said: CheckResult | undefined): KnownCheck[] {
  if (said === undefined) return []
  const { exists, address, lid } = said
  return [{ digits, onNetwork: exists, chatId: exists ? chatIdOf(digits, address) : '', lid: lid ?? null }]
}

/** An address as the network's own apps write it: a number with `@c.us`, a hidden id with its `@lid`. */
function chatIdOf(digits: string, address: CheckResult['address']): string {
  if (address?.kind === 'lid') return address.id
  return `${address?.digits ?? digits}@c.us`
}
