import { type NumberStatus, numberMoves } from '@msgctl/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SessionState } from '../gateway/gateway.ts'
import { isAnotherPhone, type KnownState, nextState, type StateEvent } from './state-rules.ts'

const at = new Date('2026-03-01T12:00:00Z')
const later = new Date('2026-03-01T12:05:00Z')
const phoneA = { id: '12025550001@c.us', digits: '12025550001', pushName: 'A' }
const phoneB = { id: '12025550002@c.us', digits: '12025550002', pushName: 'B' }

const added: KnownState = {
  status: 'STARTING',
  phoneNumber: null,
  networkId: null,
  pushName: null,
  lastLinkedPhone: null,
  everLinked: false,
  heldAt: null,
  announced: null,
  downSince: null,
  retryCount: 0,
  totalRecoveries: 0,
  totalFailures: 0,
  connectedSince: null,
  lastHealthyAt: null,
  lastErrorAt: null,
  lastError: null,
}
const linked: KnownState = nextState(added, { status: 'WORKING', me: phoneA }, { at, waiting: false }).change

function being(status: NumberStatus, announced: KnownState['announced'] = null): KnownState {
  return { ...linked, status, announced }
}

describe('the event of a step', () => {
  it.each<[string, KnownState, SessionState['status'], StateEvent | null]>([
    ['a first link', { ...added, status: 'SCAN_QR_CODE' }, 'WORKING', null],
    ['a first QR', added, 'SCAN_QR_CODE', null],
    ['a first QR that nobody scanned', { ...added, status: 'SCAN_QR_CODE' }, 'FAILED', null],
    ['a link that was accepted again', being('STARTING'), 'WORKING', null],
    ['a stop', being('WORKING'), 'STOPPED', null],
    ['a start', being('STOPPED'), 'STARTING', null],
    ['a hiccup', being('WORKING'), 'STARTING', null],
    ['a link that was ended', being('WORKING'), 'SCAN_QR_CODE', 'session.needs_scan'],
    ['a start without a link', being('STARTING'), 'SCAN_QR_CODE', 'session.needs_scan'],
    ['the same ask for a scan again', being('STARTING', 'needs_scan'), 'SCAN_QR_CODE', null],
    ['a scan needed after it went down', being('STARTING', 'disconnected'), 'SCAN_QR_CODE', 'session.needs_scan'],
    ['a lost connection', being('WORKING'), 'FAILED', 'session.disconnected'],
    ['a connection not back in time', being('STARTING'), 'FAILED', 'session.disconnected'],
    ['one more try that failed', being('STARTING', 'disconnected'), 'FAILED', null],
    [
      'QRs that nobody scanned after a needs_scan',
      being('SCAN_QR_CODE', 'needs_scan'),
      'FAILED',
      'session.disconnected',
    ],
    ['a return after disconnected', being('STARTING', 'disconnected'), 'WORKING', 'session.recovered'],
    ['a scan after needs_scan', being('SCAN_QR_CODE', 'needs_scan'), 'WORKING', 'session.recovered'],
    ['a start after a stop in trouble', being('STOPPED', 'disconnected'), 'WORKING', 'session.recovered'],
    ['a host that is back', being('UNREACHABLE', 'disconnected'), 'WORKING', 'session.recovered'],
    ['a report that repeats the state', being('FAILED', 'disconnected'), 'FAILED', null],
  ])('is right for %s', (_what, number, status, event) => {
    const me = status === 'WORKING' ? phoneA : null
    expect(nextState(number, { status, me }, { at: later, waiting: false }).event).toBe(event)
  })
})

describe('what a step changes', () => {
  it('notes who is linked, and since when, with the first link', () => {
    expect(linked).toMatchObject({
      status: 'WORKING',
      phoneNumber: '12025550001',
      networkId: '12025550001@c.us',
      pushName: 'A',
      everLinked: true,
      connectedSince: at,
      lastHealthyAt: at,
      lastError: null,
      totalFailures: 0,
    })
  })

  it('keeps since when it is connected while reports repeat', () => {
    const again = nextState(linked, { status: 'WORKING', me: phoneA }, { at: later, waiting: false }).change
    expect(again).toMatchObject({ connectedSince: at, lastHealthyAt: later })
  })

  it('forgets who is linked when the link ends, and keeps the digits of the number', () => {
    const reported: SessionState = { status: 'SCAN_QR_CODE', me: null, reason: 'logged_out' }
    expect(nextState(linked, reported, { at: later, waiting: false }).change).toMatchObject({
      networkId: null,
      pushName: null,
      phoneNumber: '12025550001',
      connectedSince: null,
      downSince: later,
      totalFailures: 1,
      lastErrorAt: later,
      lastError: 'The phone ended the link.',
    })
  })

  it('keeps who is linked while it is stopped', () => {
    const stopped = nextState(linked, { status: 'STOPPED', me: null }, { at: later, waiting: false }).change
    expect(stopped).toMatchObject({ networkId: phoneA.id, phoneNumber: phoneA.digits, lastError: null })
  })

  it('says why a first QR came to nothing, and counts no failure', () => {
    const waits: KnownState = { ...added, status: 'SCAN_QR_CODE' }
    const reported: SessionState = { status: 'FAILED', me: null, reason: 'qr_expired' }
    expect(nextState(waits, reported, { at, waiting: false }).change).toMatchObject({
      lastError: 'No QR was scanned in time.',
      totalFailures: 0,
      announced: null,
    })
  })

  it('counts one failure and one recovery for one trouble, whatever shapes it takes', () => {
    const path: SessionState[] = [
      { status: 'FAILED', me: phoneA },
      { status: 'STARTING', me: phoneA },
      { status: 'SCAN_QR_CODE', me: null },
      { status: 'FAILED', me: null },
      { status: 'WORKING', me: phoneA },
    ]
    const end = path.reduce<KnownState>(
      (number, state) => nextState(number, state, { at: later, waiting: false }).change,
      linked,
    )
    expect(end).toMatchObject({ totalFailures: 1, totalRecoveries: 1, announced: null, downSince: null })
  })

  it.each([
    ['another phone, and messages wait', phoneB, true, later],
    ['another phone, and nothing waits', phoneB, false, null],
    ['the same phone, and messages wait', phoneA, true, null],
  ])('holds the queue or not: %s', (_what, me, waiting, heldAt) => {
    const number = being('SCAN_QR_CODE', 'needs_scan')
    expect(nextState(number, { status: 'WORKING', me }, { at: later, waiting }).change.heldAt).toEqual(heldAt)
  })

  it('holds on when the report of the other phone is repeated', () => {
    const held = nextState(being('SCAN_QR_CODE'), { status: 'STARTING', me: phoneB }, { at, waiting: true }).change
    expect(isAnotherPhone(held, { status: 'WORKING', me: phoneB })).toBe(false)
    const working = nextState(held, { status: 'WORKING', me: phoneB }, { at: later, waiting: true }).change
    expect(working.heldAt).toEqual(at)
  })
})

const statuses = ['WORKING', 'SCAN_QR_CODE', 'STARTING', 'STOPPED', 'FAILED'] as const
const report = fc.record({
  status: fc.constantFrom(...statuses),
  me: fc.constantFrom(phoneA, phoneB, null),
  reason: fc.constantFrom('logged_out', 'qr_expired', 'connection_lost', 'odd'),
})

/** Lets a number take reports in this order, and answers where it ends and what was told. */
function take(reports: readonly SessionState[], begin: KnownState = added) {
  const events: StateEvent[] = []
  let number = begin
  for (const reported of reports) {
    const step = nextState(number, reported, { at, waiting: false })
    if (step.event) events.push(step.event)
    number = step.change
  }
  return { number, events }
}

describe('reports in any order', () => {
  it('tells nothing before the first link', () => {
    const unlinked = report.filter(({ status }) => status !== 'WORKING')
    fc.assert(
      fc.property(fc.array(unlinked), (reports) => {
        expect(take(reports).events).toEqual([])
      }),
    )
  })

  it('never tells the same twice in a row, nor a recovery of nothing', () => {
    fc.assert(
      fc.property(fc.array(report, { maxLength: 40 }), (reports) => {
        const { events } = take(reports)
        for (const [i, event] of events.entries()) expect(event).not.toBe(events[i - 1] ?? 'session.recovered')
      }),
    )
  })

  it('ends with what holds: nothing open while it works, the trouble told while it is in one', () => {
    fc.assert(
      fc.property(fc.array(report, { minLength: 1, maxLength: 40 }), (reports) => {
        const { number, events } = take(reports, linked)
        const last = events.at(-1) ?? 'session.recovered'
        if (number.status === 'WORKING') expect(last).toBe('session.recovered')
        if (number.status === 'FAILED') expect(last).toBe('session.disconnected')
        if (number.status === 'SCAN_QR_CODE') expect(last).toBe('session.needs_scan')
      }),
    )
  })

  it('changes nothing and tells nothing when each report comes twice', () => {
    fc.assert(
      fc.property(fc.array(report, { maxLength: 40 }), (reports) => {
        expect(take(reports.flatMap((one) => [one, one]))).toEqual(take(reports))
      }),
    )
  })

  it('tells on a move of the contract only what the contract has for it', () => {
    fc.assert(
      fc.property(fc.array(report, { maxLength: 20 }), report, (before, reported) => {
        const { number } = take(before, linked)
        const { event } = nextState(number, reported, { at, waiting: false })
        const moves = numberMoves.filter(({ from, to }) => to === reported.status && from.includes(number.status))
        const allowed = moves.map((move) => move.event)
        // Reports may be lost, so a number also makes moves that skip what lay between.
        if (event !== null && moves.length > 0) expect(allowed).toContain(event)
      }),
    )
  })
})
