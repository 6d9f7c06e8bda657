import { setTimeout as wait } from 'node:timers/promises'
import { GatewayError } from '../../gateway/errors.ts'
import type { CheckResult, Gateway, GatewaySession } from '../../gateway/gateway.ts'
import type { SimContext } from '../context.ts'
import { type CheckPlan, planCheck } from '../messages/plan.ts'
import { type Write, write } from '../messages/store.ts'
import { toLid } from '../people/lid.ts'
import { findPerson, isHidden, type Person } from '../people/people.ts'
import { hostIsDown } from '../sessions/sessions.ts'
import { scaled } from '../timing.ts'
import type { ConnectionReader, UsableConnection } from './connection.ts'

const timeoutMs = 10_000

/** Makes the function that asks which numbers are on the network. */
export function checker(ctx: SimContext, look: ConnectionReader): Gateway['check'] {
  const { speed, seed } = ctx.config.simulator

  async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
    if (signal?.aborted) throw noAnswer()
    // A timer of 0 ms takes one; ten thousand numbers ask for two thousand of them.
    if (ms === 0) return
    await wait(ms, undefined, signal ? { signal } : {}).catch(() => {
      throw noAnswer()
    })
  }

  /** What hit these numbers before matters only while faults are ordered. */
  async function seenWithFaults(session: GatewaySession, digits: readonly string[]): Promise<UsableConnection> {
    const seen = await look(session, [])
    return seen.faults.check ? look(session, digits.map(keyOf)) : seen
  }

  return async (session, digits, signal) => {
    const seen = await seenWithFaults(session, digits)
    const plans = digits.map((one) => {
      const earlierFaults = seen.hits.get(keyOf(one)) ?? 0
      return planCheck({ person: findPerson(one), seed, faults: seen.faults, earlierFaults })
    })
    const hits = digits
      .filter((_, n) => plans[n]?.fault)
      .map((one): Write => ({ hit: { containerId: session.containerId, key: keyOf(one) } }))
    if (hits.length > 0) await write(ctx.db, hits)
    await pause(scaled(slowest(plans), speed) + (seen.faults.latencyMs ?? 0), signal)
    throwFor(plans)
    return new Map(digits.flatMap((one, n) => resultOf(one, plans[n], seen)))
  }
}

function keyOf(digits: string): string {
  return `check:${digits}`
}

/** The network answers when it has an answer to all; a number it never answers takes as long as its patience. */
function slowest(plans: readonly CheckPlan[]): number {
  return Math.max(0, ...plans.map((plan) => (plan.answer === 'times_out' ? timeoutMs : plan.latencyMs)))
}

function throwFor(plans: readonly CheckPlan[]): void {
  if (plans.some(({ answer }) => answer === 'unreachable')) throw hostIsDown()
  if (plans.some(({ answer }) => answer === 'session'))
    throw new GatewayError('session', 'The number lost its connection.')
  if (plans.length > 0 && plans.every(({ answer }) => answer === 'times_out')) throw noAnswer()
}

function noAnswer(): GatewayError {
  return new GatewayError('timeout', 'The network did not say in time who is on it.', { outcome: 'not_sent' })
}

function resultOf(digits: string, plan: CheckPlan | undefined, seen: UsableConnection): [string, CheckResult][] {
  if (typeof plan?.answer !== 'boolean') return []
  if (!plan.answer) return [[digits, { exists: false }]]
  const address = { kind: 'phone', digits } as const
  return [[digits, { exists: true, address, ...knownLid(findPerson(digits), seen.line.contactsSynced) }]]
}

function knownLid(person: Person, contactsSynced: boolean): { lid?: string } {
  return person.hidden !== 'never' && !isHidden(person, contactsSynced) ? { lid: toLid(person.digits) } : {}
}
