import { setTimeout as wait } from 'node:timers/promises'
import { GatewayError } from '@msgctl/network/errors'
import type { CheckResult, Gateway, GatewaySession } from '@msgctl/network/gateway'
import type { SimContext } from '#networks/simulator/context.ts'
import { type CheckPlan, planCheck } from '#networks/simulator/messages/plan.ts'
import { type Write, write } from '#networks/simulator/messages/store.ts'
import { toLid } from '#networks/simulator/people/lid.ts'
import { findPerson, isHidden, type Person } from '#networks/simulator/people/people.ts'
import { scaled } from '#networks/simulator/random.ts'
import { hostIsDown } from '#networks/simulator/sessions/sessions.ts'
import type { ConnectionReader, UsableConnection } from './connection.ts'

const timeoutMs = 10_000

/** A list is thousands of calls. So many of them share one reading of the connection, which is at most so old. */
const reuse = { calls: 20, ms: 100 } as const

interface Reused {
  readonly containerId: string
  readonly atMs: number
  readonly seen: Promise<UsableConnection>
  calls: number
}

/** Creates the function that checks which numbers are on the network. */
export function checker(ctx: SimContext, readConnection: ConnectionReader): Gateway['check'] {
  const { speed, seed } = ctx.config.simulator

  async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
    if (signal?.aborted) throw checkTimedOut()
    // A timer of 0 ms takes 1 ms, and ten thousand numbers need two thousand timers.
    if (ms === 0) return
    await wait(ms, undefined, signal ? { signal } : {}).catch(() => {
      throw checkTimedOut()
    })
  }

  /** The calls of one list have one signal. */
  const lists = new WeakMap<AbortSignal, Reused>()

  function readForList(session: GatewaySession, signal: AbortSignal): Promise<UsableConnection> {
    const { containerId } = session
    const atMs = performance.now()
    const last = lists.get(signal)
    if (last?.containerId === containerId && last.calls < reuse.calls && atMs - last.atMs < reuse.ms) {
      last.calls += 1
      return last.seen
    }
    const seen = readConnection(session, [])
    lists.set(signal, { containerId, atMs, seen, calls: 1 })
    return seen
  }

  /** What hit these numbers before matters only while faults are ordered. */
  async function seenWithFaults(
    session: GatewaySession,
    digits: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<UsableConnection> {
    const seen = await (signal ? readForList(session, signal) : readConnection(session, []))
    return seen.faults.check ? readConnection(session, digits.map(checkKey)) : seen
  }

  return async (session, digits, signal) => {
    const seen = await seenWithFaults(session, digits, signal)
    const plans = digits.map((one) => {
      const earlierFaults = seen.hits.get(checkKey(one)) ?? 0
      return planCheck({ person: findPerson(one), seed, faults: seen.faults, earlierFaults })
    })
    const hits = digits
      .filter((_, n) => plans[n]?.fault)
      .map((one): Write => ({ hit: { containerId: session.containerId, key: checkKey(one) } }))
    if (hits.length > 0) await write(ctx.db, hits)
    await pause(scaled(slowest(plans), speed) + (seen.faults.latencyMs ?? 0), signal)
    throwFor(plans)
    return new Map(digits.flatMap((one, n) => toResult(one, plans[n], seen)))
  }
}

function checkKey(digits: string): string {
  return `check:${digits}`
}

/**
 * Returns the slowest check: the network responds when all are done, and one that times out takes the whole timeout.
 */
function slowest(plans: readonly CheckPlan[]): number {
  return Math.max(0, ...plans.map((plan) => (plan.answer === 'times_out' ? timeoutMs : plan.latencyMs)))
}

function throwFor(plans: readonly CheckPlan[]): void {
  if (plans.some(({ answer }) => answer === 'unreachable')) throw hostIsDown()
  if (plans.some(({ answer }) => answer === 'session'))
    throw new GatewayError('session', 'The number lost its connection.')
  if (plans.length > 0 && plans.every(({ answer }) => answer === 'times_out')) throw checkTimedOut()
}

function checkTimedOut(): GatewayError {
  return new GatewayError('timeout', 'The network did not check the numbers in time.', { outcome: 'not_sent' })
}

function toResult(digits: string, plan: CheckPlan | undefined, seen: UsableConnection): [string, CheckResult][] {
  if (typeof plan?.answer !== 'boolean') return []
  if (!plan.answer) return [[digits, { exists: false }]]
  const address = { kind: 'phone', digits } as const
  return [[digits, { exists: true, address, ...knownLid(findPerson(digits), seen.line.contactsSynced) }]]
}

function knownLid(person: Person, contactsSynced: boolean): { lid?: string } {
  return person.hidden !== 'never' && !isHidden(person, contactsSynced) ? { lid: toLid(person.digits) } : {}
}
