import { GatewayError } from '@msgctl/network/errors'
import type { CheckResult, GatewaySession } from '@msgctl/network/gateway'
import { withGatewayTimeout } from '#networks/gateway/timeout.ts'
import { toParts } from '#platform/concurrency/rounds.ts'
import type { Services } from '#services.ts'
import { type CheckCircuit, checkCircuit } from './check-circuit.ts'
import type { KnownCheck } from './check-store.ts'

/** How many recipients are checked at a time (specification, "Validate numbers and batches"). */
const lookupConcurrency = 5

/** The timeout for a driver that ignores its own timeout and the signal. */
const queryTimeoutMs = 27_000

/** Failures that the next check would have too: the number is not connected, or its account is limited. */
const lastingFailures: ReadonlySet<string> = new Set(['session', 'restricted'])

/** One run of checks through a number. */
export interface LookupRun {
  readonly services: Pick<Services, 'gateway' | 'clock' | 'log'>
  readonly session: GatewaySession
  readonly circuit: CheckCircuit
  /**
   * Aborts when the caller disconnects or the time of the run is over: the check that runs ends, and no other begins.
   * It counts elapsed time, because the service's clock can step.
   */
  readonly signal: AbortSignal
  /** Set when the run ends early; `retryAfterMs` when the wait is known. */
  stopped: { readonly retryAfterMs: number | undefined } | null
}

/** Starts a run that ends when `signal` aborts. */
export function startLookup(services: LookupRun['services'], session: GatewaySession, signal: AbortSignal): LookupRun {
  return { services, session, signal, circuit: checkCircuit(services.gateway, session.containerId), stopped: null }
}

/** Returns whether another check may begin, and records the reason when it may not. */
export function canQuery(run: LookupRun): boolean {
  const openMs = run.circuit.openMs(run.services.clock.now())
  if (run.stopped === null && openMs > 0) run.stopped = { retryAfterMs: openMs }
  if (run.signal.aborted) run.stopped ??= { retryAfterMs: undefined }
  return run.stopped === null
}

/**
 * Checks recipients at the network, five at a time: in one call where the driver takes so many, else in up to five
 * concurrent calls. A recipient that is missing in the result was not checked, or the network did not respond.
 */
export async function queryNetwork(run: LookupRun, digits: readonly string[]): Promise<KnownCheck[]> {
  const together = Math.min(lookupConcurrency, run.services.gateway.checkBatch(run.session))
  const questions = toParts(digits, together)
  const checks: KnownCheck[] = []
  let next = 0

  async function queryNext(): Promise<void> {
    while (next < questions.length && canQuery(run)) {
      const question = questions[next++] ?? []
      checks.push(...(await queryOnce(run, question)))
    }
  }

  await Promise.all(Array.from({ length: Math.floor(lookupConcurrency / together) }, queryNext))
  return checks
}

async function queryOnce(run: LookupRun, digits: string[]): Promise<KnownCheck[]> {
  const { services, session, circuit, signal } = run
  try {
    const results = await withGatewayTimeout(queryTimeoutMs, services.gateway.check(session, digits, signal))
    const checks = digits.flatMap((one) => toKnownCheck(one, results.get(one)))
    if (checks.length > 0) circuit.recordSuccess()
    else circuit.recordFailure(digits[0] ?? '', services.clock.now())
    return checks
  } catch (error) {
    noteFailure(run, digits, error)
    return []
  }
}

function noteFailure(run: LookupRun, digits: readonly string[], error: unknown): void {
  // An aborted check is no evidence about the network.
  if (run.signal.aborted) return
  const { services, session, circuit } = run
  services.log.info(
    { event: 'recipient_check_failed', err: error, containerId: session.containerId },
    'failed to check recipients',
  )
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

/** Formats an address as the network's apps do: a number with `@c.us`, a hidden id with its `@lid`. */
function toChatId(digits: string, address: CheckResult['address']): string {
  if (address?.kind === 'lid') return address.id
  return `${address?.digits ?? digits}@c.us`
}
