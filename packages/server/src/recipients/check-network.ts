import { GatewayError } from '../gateway/errors.ts'
import type { CheckResult, GatewaySession } from '../gateway/gateway.ts'
import { withGatewayTimeout } from '../gateway/timeout.ts'
import type { Services } from '../services.ts'
import { type CheckCircuit, checkCircuit } from './check-circuit.ts'
import type { KnownCheck } from './check-store.ts'

/** How many numbers the network is asked about at a time (specification, "Validate numbers and batches"). */
const lookupConcurrency = 5

/** When a driver is given up that heeds neither its own time nor the signal. */
const queryTimeoutMs = 27_000

/** Failures that the next question would meet as well: the number is not connected, or its account is limited. */
const lastingFailures: ReadonlySet<string> = new Set(['session', 'restricted'])

/** One run of questions through a number, until it ends or it is no use to go on. */
export interface LookupRun {
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
export function startLookup(
  services: LookupRun['services'],
  session: GatewaySession,
  until: { readonly signal: AbortSignal; readonly endsAt: Date },
): LookupRun {
  return { services, session, ...until, circuit: checkCircuit(services.gateway, session.containerId), stopped: null }
}

/** Whether another question may begin; notes why not. */
export function canQuery(run: LookupRun): boolean {
  const now = run.services.clock.now()
  const openMs = run.circuit.openMs(now)
  if (run.stopped === null && openMs > 0) run.stopped = { retryAfterMs: openMs }
  if (run.signal.aborted || now >= run.endsAt) run.stopped ??= { retryAfterMs: undefined }
  return run.stopped === null
}

/**
 * Asks the network about numbers, five at a time: in one question where the network takes several numbers in one, else
 * in five questions side by side. Answers what was said; a number that is missing was not asked about, or had no answer.
 */
export async function queryNetwork(run: LookupRun, digits: readonly string[]): Promise<KnownCheck[]> {
  const together = run.services.gateway.caps.has('batchCheck') ? lookupConcurrency : 1
  const questions = inGroups(digits, together)
  const answers: KnownCheck[] = []
  let next = 0

  async function queryNext(): Promise<void> {
    while (next < questions.length && canQuery(run)) {
      const question = questions[next++] ?? []
      answers.push(...(await queryOnce(run, question)))
    }
  }

  await Promise.all(Array.from({ length: lookupConcurrency / together }, queryNext))
  return answers
}

function inGroups(digits: readonly string[], size: number): string[][] {
  const count = Math.ceil(digits.length / size)
  return Array.from({ length: count }, (_, n) => digits.slice(n * size, (n + 1) * size))
}

async function queryOnce(run: LookupRun, digits: string[]): Promise<KnownCheck[]> {
  const { services, session, circuit, signal } = run
  try {
    const results = await withGatewayTimeout(queryTimeoutMs, services.gateway.check(session, digits, signal))
    const answers = digits.flatMap((one) => toKnownCheck(one, results.get(one)))
    if (answers.length > 0) circuit.recordSuccess()
    else circuit.recordFailure(digits[0] ?? '', services.clock.now())
    return answers
  } catch (error) {
    noteFailure(run, digits, error)
    return []
  }
}

function noteFailure(run: LookupRun, digits: readonly string[], error: unknown): void {
  // Who left, or whose time is over, has learnt nothing about the network.
  if (run.signal.aborted) return
  const { services, session, circuit } = run
  services.log.info({ err: error, containerId: session.containerId }, 'the network could not be asked about numbers')
  if (error instanceof GatewayError && lastingFailures.has(error.kind)) {
    run.stopped ??= { retryAfterMs: error.retryAfterMs }
    return
  }
  circuit.recordFailure(digits[0] ?? '', services.clock.now())
}

function toKnownCheck(digits: string, said: CheckResult | undefined): KnownCheck[] {
  if (said === undefined) return []
  const { exists, address, lid } = said
  return [{ digits, onNetwork: exists, chatId: exists ? toChatId(digits, address) : '', lid: lid ?? null }]
}

/** An address as the network's own apps write it: a number with `@c.us`, a hidden id with its `@lid`. */
function toChatId(digits: string, address: CheckResult['address']): string {
  if (address?.kind === 'lid') return address.id
  return `${address?.digits ?? digits}@c.us`
}
