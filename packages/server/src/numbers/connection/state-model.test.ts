import { mayMove, type NumberStatus, numberMoves } from '@msgctl/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { maxRetries } from '#numbers/records/view.ts'
import { added, after, at, linked, phoneA, phoneB } from '#testing/features/number-states.ts'
import type { FoundState, KnownState, StateEvent, StateSource } from './state-rules.ts'
import { nextAction, type SupervisionAction } from './supervision-rules.ts'

const secondMs = 1000
const words = ['WORKING', 'SCAN_QR_CODE', 'STARTING', 'STOPPED', 'FAILED'] as const
const foundState = fc.record({
  status: fc.constantFrom(...words),
  me: fc.constantFrom(phoneA, phoneB, null),
  reason: fc.constantFrom('logged_out', 'qr_expired', 'connection_lost', 'unknown'),
})

/**
 * A report, request or check of a number: a word of the network, a person, or time that passes until the supervisor
 * checks.
 */
type Incident =
  | { readonly is: 'report'; readonly state: FoundState }
  | { readonly is: 'start' | 'stop' | 'lost stop' | 'reconnect' | 'logout' }
  | { readonly is: 'check'; readonly seconds: number; readonly hostResponds: boolean; readonly unheard: boolean }

const incident: fc.Arbitrary<Incident> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ is: fc.constant('report' as const), state: foundState }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constantFrom('start', 'stop', 'lost stop', 'reconnect', 'logout') }) },
  {
    weight: 4,
    arbitrary: fc.record({
      is: fc.constant('check' as const),
      seconds: fc.integer({ min: 1, max: 400 }),
      hostResponds: fc.boolean(),
      unheard: fc.boolean(),
    }),
  },
)

interface ReportedEvent {
  readonly event: StateEvent
  readonly exhausted: boolean
}

/** A number with its time, every transition that it made and every event that was reported about it. */
class Life {
  number: KnownState
  now = at
  readonly moves: [NumberStatus, NumberStatus][] = []
  readonly reported: ReportedEvent[] = []

  constructor(number: KnownState = added) {
    this.number = number
  }

  take(state: FoundState, source: StateSource): void {
    const { event, via, number } = after(this.number, state, { at: this.now, source })
    const way = [this.number.status, ...(via ? [via] : []), number.status]
    for (const [i, to] of way.entries()) {
      const from = way[i - 1]
      if (from !== undefined && from !== to) this.moves.push([from, to])
    }
    if (event) this.reported.push({ event, exhausted: !this.number.exhaustionReported && number.exhaustionReported })
    this.number = number
  }

  /** Applies one incident as the routes and the supervisor do. */
  apply(one: Incident): void {
    if (one.is === 'report') this.take(one.state, 'network')
    else if (one.is === 'check') this.check(one)
    else this.request(one.is)
  }

  private request(what: 'start' | 'stop' | 'lost stop' | 'reconnect' | 'logout'): void {
    const { status, networkId } = this.number
    const starting = { status: 'STARTING', me: null, reason: what === 'start' ? 'started' : 'reconnect' } as const
    if (what === 'stop' || what === 'lost stop') {
      this.number = { ...this.number, desiredState: 'stopped' }
      if (what === 'stop') this.take({ status: 'STOPPED', me: null }, 'user')
    } else if (what === 'start' && (status === 'STOPPED' || status === 'FAILED')) {
      this.number = { ...this.number, desiredState: 'running' }
      this.take(starting, 'user')
    } else if (what === 'reconnect' && status !== 'STOPPED' && status !== 'SCAN_QR_CODE') {
      this.take(starting, 'user')
    } else if (what === 'logout' && networkId !== null && status !== 'STOPPED') {
      this.take({ status: 'SCAN_QR_CODE', me: null, reason: 'logged_out' }, 'user')
    }
  }

  private check({ seconds, ...found }: Incident & { is: 'check' }): void {
    this.now = new Date(this.now.getTime() + seconds * secondMs)
    const order = nextAction(this.number, found, this.now)
    if (order.is === 'wait') this.number = { ...this.number, missedProbes: order.missedProbes }
    const state = this.ordered(order)
    if (state) this.take(state, 'supervisor')
  }

  private ordered(order: SupervisionAction): FoundState | null {
    switch (order.is) {
      case 'unreachable':
        return { status: 'UNREACHABLE', me: null, reason: 'instance_down' }
      case 'query':
        return order.overdue && this.number.networkId !== null
          ? { status: 'FAILED', me: null, reason: 'connection_lost' }
          : null
      case 'stop':
        return { status: 'STOPPED', me: null, reason: 'stopped' }
      case 'retry':
        return { status: 'STARTING', me: null, reason: 'retry' }
      case 'reconnect':
        return { status: 'STARTING', me: null, reason: 'no_acks' }
      case 'give_up':
        return { status: 'FAILED', me: null, reason: 'no_acks' }
      case 'wait':
        return null
    }
  }
}

function runLife(incidents: readonly Incident[], number?: KnownState): Life {
  const life = new Life(number)
  for (const one of incidents) life.apply(one)
  return life
}

const lives = fc.array(incident, { maxLength: 60 })
const runs = { numRuns: 1000 }

describe('whatever happens to a number', () => {
  it('makes no move that the table does not show', () => {
    fc.assert(
      fc.property(lives, (incidents) => {
        for (const [from, to] of runLife(incidents).moves)
          if (!mayMove(numberMoves, from, to)) throw new Error(`${from} to ${to}`)
      }),
      runs,
    )
  })

  it('reports a trouble once, its exhausted retries once more, and a recovery only after a trouble', () => {
    fc.assert(
      fc.property(lives, (incidents) => {
        const { reported } = runLife(incidents)
        for (const [i, { event, exhausted }] of reported.entries()) {
          if (exhausted) expect(event).toBe('session.disconnected')
          else expect(event).not.toBe(reported[i - 1]?.event ?? 'session.recovered')
        }
      }),
      runs,
    )
  })

  it('reports events of which the last fits the final status', () => {
    fc.assert(
      fc.property(lives, (incidents) => {
        const { number, reported } = runLife(incidents, linked)
        const last = reported.at(-1)?.event ?? 'session.recovered'
        if (number.status === 'WORKING') expect(last).toBe('session.recovered')
        if (number.status === 'FAILED' || number.status === 'UNREACHABLE') expect(last).toBe('session.disconnected')
        if (number.status === 'SCAN_QR_CODE') expect(last).toBe('session.needs_scan')
      }),
      runs,
    )
  })

  it('is due for another check, unless it is stopped or waits for a person', () => {
    fc.assert(
      fc.property(lives, (incidents) => {
        const { status, statusReason, nextCheckAt } = runLife(incidents).number
        const waits = status === 'STOPPED' || (status === 'FAILED' && statusReason === 'qr_expired')
        expect(nextCheckAt === null).toBe(waits)
      }),
      runs,
    )
  })

  it('never counts exhaustion before five reconnections were tried', () => {
    fc.assert(
      fc.property(lives, (incidents) => {
        const life = new Life(linked)
        for (const one of incidents) {
          const { exhaustionReported } = life.number
          life.apply(one)
          if (!exhaustionReported && life.number.exhaustionReported)
            expect(life.number.retryCount).toBeGreaterThanOrEqual(maxRetries)
        }
      }),
      runs,
    )
  })

  it('changes nothing and reports no further event when each report comes twice', () => {
    fc.assert(
      fc.property(fc.array(foundState, { maxLength: 40 }), (reports) => {
        const once = reports.map((state): Incident => ({ is: 'report', state }))
        const twice = once.flatMap((one) => [one, one])
        const [first, second] = [runLife(once, linked), runLife(twice, linked)]
        expect([second.number, second.reported, second.moves]).toEqual([first.number, first.reported, first.moves])
      }),
    )
  })

  it('reports no event before the first link', () => {
    const unlinked = foundState.filter(({ status }) => status !== 'WORKING')
    fc.assert(
      fc.property(fc.array(unlinked), (reports) => {
        expect(runLife(reports.map((state): Incident => ({ is: 'report', state }))).reported).toEqual([])
      }),
    )
  })
})
