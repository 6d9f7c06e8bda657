import type { NumberStatus } from '@msgctl/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { added, after, at, being, later, linked, phoneA, phoneB } from '#testing/features/number-states.ts'
import {
  type FoundState,
  isAnotherPhone,
  isOutdated,
  type KnownState,
  type StateEvent,
  type StateSource,
} from './state-rules.ts'

const unlinked = (status: NumberStatus): KnownState => ({ ...being(status), networkId: null })

describe('the event of a step', () => {
  it.each<[string, KnownState, NumberStatus, StateSource, StateEvent | null]>([
    ['a first link', { ...added, status: 'SCAN_QR_CODE' }, 'WORKING', 'network', null],
    ['a first QR', added, 'SCAN_QR_CODE', 'network', null],
    ['a first QR that was never scanned', { ...added, status: 'SCAN_QR_CODE' }, 'FAILED', 'network', null],
    ['a link that was accepted again', being('STARTING'), 'WORKING', 'network', null],
    ['a stop', being('WORKING'), 'STOPPED', 'user', null],
    ['a start', being('STOPPED'), 'STARTING', 'user', null],
    ['a hiccup', being('WORKING'), 'STARTING', 'network', null],
    ['a failure that may pass', being('WORKING'), 'FAILED', 'network', null],
    ['a link that was ended', being('WORKING'), 'SCAN_QR_CODE', 'network', 'session.needs_scan'],
    ['a start without a link', being('STARTING'), 'SCAN_QR_CODE', 'network', 'session.needs_scan'],
    ['the same ask for a scan again', being('STARTING', 'needs_scan'), 'SCAN_QR_CODE', 'network', null],
    [
      'a scan needed after it went down',
      being('STARTING', 'disconnected'),
      'SCAN_QR_CODE',
      'network',
      'session.needs_scan',
    ],
    ['a connection given up', being('WORKING'), 'FAILED', 'supervisor', 'session.disconnected'],
    ['a connection not back in time', being('STARTING'), 'FAILED', 'supervisor', 'session.disconnected'],
    ['one more try that failed', being('STARTING', 'disconnected'), 'FAILED', 'supervisor', null],
    ['QRs that were never scanned', being('SCAN_QR_CODE', 'needs_scan'), 'FAILED', 'network', 'session.disconnected'],
    ['a return after disconnected', being('STARTING', 'disconnected'), 'WORKING', 'network', 'session.recovered'],
    ['a scan after needs_scan', being('SCAN_QR_CODE', 'needs_scan'), 'WORKING', 'network', 'session.recovered'],
    ['a host that is down', being('WORKING'), 'UNREACHABLE', 'supervisor', 'session.disconnected'],
    ['a host that is down after a reported loss', being('FAILED', 'disconnected'), 'UNREACHABLE', 'supervisor', null],
    ['a host down before the first link', added, 'UNREACHABLE', 'supervisor', 'session.disconnected'],
    ['a host that is back', being('UNREACHABLE', 'disconnected'), 'WORKING', 'network', 'session.recovered'],
    [
      'a host that is back without the link',
      being('UNREACHABLE', 'disconnected'),
      'SCAN_QR_CODE',
      'network',
      'session.needs_scan',
    ],
    ['a report that repeats the state', being('FAILED', 'disconnected'), 'FAILED', 'network', null],
  ])('is right for %s', (_what, number, status, source, event) => {
    const me = status === 'WORKING' ? phoneA : null
    expect(after(number, { status, me }, { source }).event).toBe(event)
  })

  it('is disconnected once more when the fifth reconnection failed, and then no more', () => {
    const tried = { ...being('STARTING', 'disconnected'), retryCount: 5 }
    const failed = after(tried, { status: 'FAILED', me: null }, { source: 'supervisor' })
    expect(failed).toMatchObject({ event: 'session.disconnected', number: { exhaustionReported: true } })
    const retried = after(failed.number, { status: 'STARTING', me: null, reason: 'retry' }, { source: 'supervisor' })
    expect(retried.number.retryCount).toBe(6)
    const again = after(retried.number, { status: 'FAILED', me: null }, { source: 'supervisor' })
    expect(again.event).toBeNull()
  })
})

describe('the status after a report', () => {
  it.each<[string, KnownState, NumberStatus, StateSource, NumberStatus]>([
    ['a failure of a number that was connected is a hiccup first', being('WORKING'), 'FAILED', 'network', 'STARTING'],
    ['a failure while it comes back changes nothing', being('STARTING'), 'FAILED', 'network', 'STARTING'],
    ['unused QRs are a failure', unlinked('SCAN_QR_CODE'), 'FAILED', 'network', 'FAILED'],
    ['a stop that was not requested is a hiccup', being('WORKING'), 'STOPPED', 'network', 'STARTING'],
    [
      'a stop that was requested stops the number',
      { ...being('WORKING'), desiredState: 'stopped' },
      'STOPPED',
      'network',
      'STOPPED',
    ],
    ['a stopped number stays so, whatever the network says', being('STOPPED'), 'WORKING', 'network', 'STOPPED'],
    ['a stopped number stays so for the supervisor', being('STOPPED'), 'FAILED', 'supervisor', 'STOPPED'],
    ['a failed number is not stopped by the network', being('FAILED'), 'STOPPED', 'network', 'FAILED'],
  ])('%s', (_what, number, reported, source, status) => {
    expect(after(number, { status: reported, me: null }, { source }).number.status).toBe(status)
  })

  it.each<[NumberStatus, NumberStatus, NumberStatus | null]>([
    ['FAILED', 'WORKING', 'STARTING'],
    ['FAILED', 'SCAN_QR_CODE', 'STARTING'],
    ['UNREACHABLE', 'SCAN_QR_CODE', 'STARTING'],
    ['UNREACHABLE', 'WORKING', null],
    ['STARTING', 'WORKING', null],
  ])('is reached from %s to %s by way of %s', (from, status, via) => {
    const me = status === 'WORKING' ? phoneA : null
    expect(after(being(from, 'disconnected'), { status, me }).via).toBe(via)
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
    const again = after(linked, { status: 'WORKING', me: phoneA }).number
    expect(again).toMatchObject({ connectedSince: at, statusSince: at, lastHealthyAt: later })
  })

  it('forgets who is linked when the link ends, and keeps the digits of the number', () => {
    expect(after(linked, { status: 'SCAN_QR_CODE', me: null, reason: 'logged_out' }).number).toMatchObject({
      networkId: null,
      pushName: null,
      phoneNumber: '12025550001',
      connectedSince: null,
      downSince: later,
      statusSince: later,
      statusReason: 'logged_out',
      totalFailures: 1,
      lastErrorAt: later,
      lastError: 'The link was ended, by a logout or on the phone. Scan the QR to link the number again.',
    })
  })

  it('keeps who is linked while it is stopped', () => {
    const stopped = after(linked, { status: 'STOPPED', me: null }, { source: 'user' }).number
    expect(stopped).toMatchObject({ networkId: phoneA.id, phoneNumber: phoneA.digits, lastError: null })
  })

  it('says why a first QR came to nothing, and counts no failure', () => {
    const waits: KnownState = { ...added, status: 'SCAN_QR_CODE' }
    expect(after(waits, { status: 'FAILED', me: null, reason: 'qr_expired' }).number).toMatchObject({
      lastError: 'No QR was scanned in time. Start the number to get a new one.',
      totalFailures: 0,
      lastReportedProblem: null,
      nextCheckAt: null,
    })
  })

  it('counts one failure and one recovery for one trouble, whatever shapes it takes', () => {
    const path: [FoundState, StateSource][] = [
      [{ status: 'FAILED', me: phoneA }, 'supervisor'],
      [{ status: 'STARTING', me: phoneA }, 'supervisor'],
      [{ status: 'SCAN_QR_CODE', me: null }, 'network'],
      [{ status: 'FAILED', me: null }, 'network'],
      [{ status: 'UNREACHABLE', me: null }, 'supervisor'],
      [{ status: 'WORKING', me: phoneA }, 'network'],
    ]
    const end = path.reduce((number, [state, source]) => after(number, state, { source }).number, linked)
    expect(end).toMatchObject({
      totalFailures: 1,
      totalRecoveries: 1,
      lastReportedProblem: null,
      downSince: null,
      retryCount: 0,
    })
  })

  it.each([
    ['another phone, and messages wait', phoneB, true, later],
    ['another phone, and nothing waits', phoneB, false, null],
    ['the same phone, and messages wait', phoneA, true, null],
  ])('holds the queue or not: %s', (_what, me, waiting, queueHeldAt) => {
    const number = being('SCAN_QR_CODE', 'needs_scan')
    expect(after(number, { status: 'WORKING', me }, { waiting }).number.queueHeldAt).toEqual(queueHeldAt)
  })

  it('holds on when the report of the other phone is repeated', () => {
    const held = after(being('SCAN_QR_CODE'), { status: 'STARTING', me: phoneB }, { at, waiting: true }).number
    expect(isAnotherPhone(held, { me: phoneB })).toBe(false)
    expect(after(held, { status: 'WORKING', me: phoneB }, { waiting: true }).number.queueHeldAt).toEqual(at)
  })

  it('counts the reconnections of the supervisor, and starts from zero when a person asks for one', () => {
    const retried = after(being('FAILED', 'disconnected'), { status: 'STARTING', me: null }, { source: 'supervisor' })
    expect(retried.number.retryCount).toBe(1)
    const requested = after(
      { ...retried.number, statusSince: at },
      { status: 'STARTING', me: null },
      { source: 'user' },
    )
    expect(requested.number).toMatchObject({ retryCount: 0, statusSince: later })
  })
})

describe('reports of the network in any order', () => {
  const states: FoundState[] = [
    { status: 'STARTING', me: null },
    { status: 'SCAN_QR_CODE', me: null, reason: 'logged_out' },
    { status: 'WORKING', me: phoneA },
    { status: 'WORKING', me: phoneB },
    { status: 'FAILED', me: null, reason: 'connection_lost' },
  ]
  const lasting = states.filter(({ status }) => status !== 'FAILED')
  const history = fc
    .tuple(fc.array(fc.constantFrom(...states), { maxLength: 12 }), fc.constantFrom(...lasting))
    .map(([earlier, last]) => [...earlier, last].map((state, n) => ({ ...state, sequence: n + 1 })))
  const arrivals = history.chain((reports) =>
    fc.tuple(
      fc.constant(reports),
      // Each arrives at least once.
      fc
        .array(fc.constantFrom(...reports), { maxLength: 12 })
        .chain((repeats) =>
          fc.shuffledSubarray([...reports, ...repeats], { minLength: reports.length + repeats.length }),
        ),
    ),
  )

  it('end in the newest state, and in no other after that', () => {
    fc.assert(
      fc.property(arrivals, ([reports, arrived]) => {
        const newest = reports.at(-1)
        let number = added
        let newestArrived = false
        for (const report of arrived) {
          if (!isOutdated(number, report, 'event')) number = after(number, report).number
          newestArrived ||= report.sequence === newest?.sequence
          if (newestArrived) expect([number.status, number.reportSequence]).toEqual([newest?.status, newest?.sequence])
        }
        if (newest?.me) expect(number.networkId).toBe(newest.me.id)
      }),
      { numRuns: 1000 },
    )
  })
})
