import { describe, expect, it } from 'vitest'
import type { FaultSettings } from '#networks/simulator/faults.ts'
import { findPerson } from '#networks/simulator/people/people.ts'
import { isTaken, planCheck, planSend, type SendPlan } from './plan.ts'

function plan(
  last4: string,
  options: {
    clientId?: string
    seed?: number
    faults?: FaultSettings
    earlierFaults?: number
    isPoll?: boolean
    isVoice?: boolean
  } = {},
) {
  return planSend({
    person: findPerson(`1202555${last4}`),
    clientId: 'a',
    seed: 1,
    faults: {},
    earlierFaults: 0,
    isPoll: false,
    isVoice: false,
    ...options,
  })
}

function receipts({ receipts: all }: SendPlan) {
  return all.map(({ status, afterMs }) => [status, afterMs])
}

describe('a send to an ordinary person', () => {
  const plans = Array.from({ length: 500 }, (_, n) => plan(String(5000 + n), { clientId: `message ${n}` }))

  it('is accepted after 50 to 250 ms and delivered 0.4 to 2 s later', () => {
    for (const {
      acceptMs,
      receipts: [delivered],
    } of plans) {
      expect(acceptMs).toBeGreaterThanOrEqual(50)
      expect(acceptMs).toBeLessThanOrEqual(250)
      expect(delivered?.status).toBe('delivered')
      expect(delivered?.afterMs).toBeGreaterThanOrEqual(400)
      expect(delivered?.afterMs).toBeLessThanOrEqual(2000)
    }
  })

  it('is read by about 70 % of people, 2 to 8 s after it was delivered', () => {
    const read = plans.filter((one) => one.receipts.length === 2)
    expect(read.length).toBeGreaterThan(0.6 * plans.length)
    expect(read.length).toBeLessThan(0.8 * plans.length)
    for (const {
      receipts: [delivered, seen],
    } of read) {
      const afterMs = (seen?.afterMs ?? 0) - (delivered?.afterMs ?? 0)
      expect(afterMs).toBeGreaterThanOrEqual(2000)
      expect(afterMs).toBeLessThanOrEqual(8000)
    }
  })

  it('is read by the same people whatever the message', () => {
    const statuses = new Set(['a', 'b', 'c', 'd'].map((clientId) => plan('5000', { clientId }).receipts.length))
    expect(statuses.size).toBe(1)
  })

  it('comes out the same for the same seed and client id, and differently for others', () => {
    expect(plan('5000', { clientId: 'x', seed: 7 })).toEqual(plan('5000', { clientId: 'x', seed: 7 }))
    expect(plan('5000', { clientId: 'x', seed: 7 })).not.toEqual(plan('5000', { clientId: 'y', seed: 7 }))
    expect(plan('5000', { clientId: 'x', seed: 7 })).not.toEqual(plan('5000', { clientId: 'x', seed: 8 }))
  })
})

describe('a send to a person of the table', () => {
  it.each([
    [
      '0100',
      'taken',
      [
        ['delivered', 1000],
        ['read', 3000],
      ],
    ],
    ['0110', 'taken_then_fails', [['failed', 1000]]],
    [
      '0112',
      'times_out_sent',
      [
        ['delivered', 1000],
        ['read', 3000],
      ],
    ],
    ['0121', 'taken', [['delivered', 1000]]],
    ['0122', 'taken', [['read', 2000]]],
    [
      '0123',
      'taken',
      [
        ['read', 1000],
        ['delivered', 2000],
        ['delivered', 2500],
        ['read', 3000],
      ],
    ],
    [
      '0124',
      'taken',
      [
        ['delivered', 0],
        ['read', 3000],
      ],
    ],
  ])('to %s ends as %s with its receipts', (last4, ends, expected) => {
    expect(plan(last4).ends).toBe(ends)
    expect(receipts(plan(last4))).toEqual(expected)
    expect(isTaken(plan(last4))).toBe(true)
  })

  it.each([
    ['0101', 'not_on_network'],
    ['0111', 'refused'],
    ['0113', 'times_out_not_sent'],
    ['0160', 'restricts_the_account'],
  ])('to %s ends as %s and reaches no phone', (last4, ends) => {
    expect(plan(last4).ends).toBe(ends)
    expect(isTaken(plan(last4))).toBe(false)
  })

  it.each([
    ['0130', 'echo'],
    ['0131', 'stop'],
    ['0132', 'one'],
    ['0134', 'location'],
    ['0135', 'voice'],
    ['0136', 'photo'],
  ])('to %s is answered with %s after 2 s', (last4, kind) => {
    expect(plan(last4).answer).toEqual({ kind, afterMs: 2000 })
  })

  it('to 0133 is answered with a vote, if it is a poll', () => {
    expect(plan('0133', { isPoll: true }).answer?.kind).toBe('vote')
    expect(plan('0133').answer).toBeNull()
  })

  it('to 0150 takes 20 s to be accepted', () => {
    expect(plan('0150').acceptMs).toBe(20_000)
  })

  it('is played after it was read when it is a voice note', () => {
    expect(receipts(plan('0100', { isVoice: true }))).toEqual([
      ['delivered', 1000],
      ['read', 3000],
      ['played', 4000],
    ])
    expect(receipts(plan('0121', { isVoice: true }))).toEqual([['delivered', 1000]])
  })
})

describe('faults', () => {
  it.each([
    ['timeout_not_sent', 'times_out_not_sent'],
    ['unacknowledged', 'unacknowledged'],
    ['timeout_sent', 'times_out_sent'],
    ['rejected', 'refused'],
    ['unreachable', 'unreachable'],
    ['session', 'session'],
  ])('%s makes a send end as %s', (fault, ends) => {
    expect(plan('0100', { faults: { send: { [fault]: 1 } } })).toMatchObject({ ends, fault: true })
  })

  it('strike as often as they were ordered, and the same messages each time', () => {
    const struck = (seed: number) =>
      Array.from(
        { length: 1000 },
        (_, n) => plan('0100', { clientId: String(n), seed, faults: { send: { rejected: 0.2 } } }).fault,
      )
    const hits = struck(1).filter(Boolean).length
    expect(hits).toBeGreaterThan(150)
    expect(hits).toBeLessThan(250)
    expect(struck(1)).toEqual(struck(1))
    expect(struck(1)).not.toEqual(struck(2))
  })

  it('are drawn again for the next try of the same message', () => {
    const faults = { send: { timeout_not_sent: 0.5 } }
    const tries = Array.from({ length: 50 }, (_, earlierFaults) => plan('0100', { faults, earlierFaults }).fault)
    expect(new Set(tries)).toEqual(new Set([true, false]))
  })

  it.each(['timeout', 'unreachable', 'session'] as const)('let a check end as %s', (fault) => {
    const checked = planCheck({
      person: findPerson('12025550100'),
      seed: 1,
      faults: { check: { [fault]: 1 } },
      earlierFaults: 0,
    })
    expect(checked).toMatchObject({ answer: fault === 'timeout' ? 'times_out' : fault, fault: true })
  })
})

describe('a check', () => {
  it.each([
    ['0100', true],
    ['0101', false],
    ['0102', 'times_out'],
  ])('of %s returns %s, after 5 to 40 ms if it returns at all', (last4, answer) => {
    const checked = planCheck({ person: findPerson(`1202555${last4}`), seed: 1, faults: {}, earlierFaults: 0 })
    expect(checked).toMatchObject({ answer, fault: false })
    expect(checked.latencyMs).toBeGreaterThanOrEqual(5)
    expect(checked.latencyMs).toBeLessThanOrEqual(40)
  })
})
