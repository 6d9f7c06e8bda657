import { mayMove, type NumberStatus, numberMoves } from '@msgctl/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { added, after, at, linked, phoneA, phoneB } from '../../testing/features/number-states.ts'
import { maxRetries } from '../records/view.ts'
import type { FoundState, KnownState, StateEvent, StateSource } from './state-rules.ts'
import { nextAction, type SupervisionAction } from './supervision-rules.ts'

const secondMs = 1000
const words = ['WORKING', 'SCAN_QR_CODE', 'STARTING', 'STOPPED', 'FAILED'] as const
const told = fc.record({
  status: fc.constantFrom(...words),
  me: fc.constantFrom(phoneA, phoneB, null),
  reason: fc.constantFrom('logged_out', 'qr_expired', 'connection_lost', 'unknown'),
})

/** What may happen to a number: a word of the network, a person, or time that passes until the supervisor looks. */
type Happening =
  | { readonly is: 'told'; readonly state: FoundState }
  | { readonly is: 'start' | 'stop' | 'lost stop' | 'reconnect' | 'logout' }
  | { readonly is: 'look'; readonly seconds: number; readonly hostResponds: boolean; readonly unheard: boolean }

const happening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ is: fc.constant('told' as const), state: told }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constantFrom('start', 'stop', 'lost stop', 'reconnect', 'logout') }) },
  {
    weight: 4,
    arbitrary: fc.record({
      is: fc.constant('look' as const),
      seconds: fc.integer({ min: 1, max: 400 }),
      hostResponds: fc.boolean(),
      unheard: fc.boolean(),
    }),
  },
)

interface Told {
  readonly event: StateEvent
  readonly exhausted: boolean
}

/** A number with its time, every transition that it made and every event that was reported about it. */
class Life {
  number: KnownState
  now = at
  readonly moves: [NumberStatus, NumberStatus][] = []
  readonly told: Told[] = []

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
    if (event) this.told.push({ event, exhausted: !this.number.exhaustionReported && number.exhaustionReported })
    this.number = number
  }

  /** One thing happens, as the routes and the supervisor would have it. */
  happen(one: Happening): void {
    if (one.is === 'told') this.take(one.state, 'network')
    else if (one.is === 'look') this.look(one)
    else this.ask(one.is)
  }

  private ask(what: 'start' | 'stop' | 'lost stop' | 'reconnect' | 'logout'): void {
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

  private look({ seconds, ...found }: Happening & { is: 'look' }): void {
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

function lived(happenings: readonly Happening[], number?: KnownState): Life {
  const life = new Life(number)
  for (const one of happenings) life.happen(one)
  return life
}

const lives = fc.array(happening, { maxLength: 60 })
const runs = { numRuns: 1000 }

describe('whatever happens to a number', () => {
  it('makes no move that the table does not show', () => {
    fc.assert(
      fc.property(lives, (happenings) => {
        for (const [from, to] of lived(happenings).moves)
          if (!mayMove(numberMoves, from, to)) throw new Error(`${from} to ${to}`)
      }),
      runs,
    )
  })

  it('reports a trouble once, its exhausted retries once more, and a recovery only after a trouble', () => {
    fc.assert(
      fc.property(lives, (happenings) => {
        const { told } = lived(happenings)
        for (const [i, { event, exhausted }] of told.entries()) {
          if (exhausted) expect(event).toBe('session.disconnected')
          else expect(event).not.toBe(told[i - 1]?.event ?? 'session.recovered')
        }
      }),
      runs,
    )
  })

  it('reports events of which the last fits the final status', () => {
    fc.assert(
      fc.property(lives, (happenings) => {
        const { number, told } = lived(happenings, linked)
        const last = told.at(-1)?.event ?? 'session.recovered'
        if (number.status === 'WORKING') expect(last).toBe('session.recovered')
        if (number.status === 'FAILED' || number.status === 'UNREACHABLE') expect(last).toBe('session.disconnected')
        if (number.status === 'SCAN_QR_CODE') expect(last).toBe('session.needs_scan')
      }),
      runs,
    )
  })

  it('is due for another check, unless it is stopped or waits for a person', () => {
    fc.assert(
      fc.property(lives, (happenings) => {
        const { status, statusReason, nextCheckAt } = lived(happenings).number
        const waits = status === 'STOPPED' || (status === 'FAILED' && statusReason === 'qr_expired')
        expect(nextCheckAt === null).toBe(waits)
      }),
      runs,
    )
  })

  it('never counts exhaustion before five reconnections were tried', () => {
    fc.assert(
      fc.property(lives, (happenings) => {
        const life = new Life(linked)
        for (const one of happenings) {
          const { exhaustionReported } = life.number
          life.happen(one)
          if (!exhaustionReported && life.number.exhaustionReported)
            expect(life.number.retryCount).toBeGreaterThanOrEqual(maxRetries)
        }
      }),
      runs,
    )
  })

  it('changes nothing and reports no further event when each report comes twice', () => {
    fc.assert(
      fc.property(fc.array(told, { maxLength: 40 }), (reports) => {
        const once = reports.map((state): Happening => ({ is: 'told', state }))
        const twice = once.flatMap((one) => [one, one])
        const [first, second] = [lived(once, linked), lived(twice, linked)]
        expect([second.number, second.told, second.moves]).toEqual([first.number, first.told, first.moves])
      }),
    )
  })

  it('reports no event before the first link', () => {
    const unlinked = told.filter(({ status }) => status !== 'WORKING')
    fc.assert(
      fc.property(fc.array(unlinked), (reports) => {
        expect(lived(reports.map((state): Happening => ({ is: 'told', state }))).told).toEqual([])
      }),
    )
  })
})
