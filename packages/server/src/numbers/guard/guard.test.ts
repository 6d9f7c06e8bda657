import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyGuard, type GuardedMessage, type GuardedNumber, type Relation, type Usage, usedSince } from './guard.ts'
import { dayMs, daysLinked, hourMs, limitsFor, parseRules, standardRules } from './guard-rules.ts'

const now = new Date('2026-03-02T12:00:00.000Z')
const after = (ms: number) => new Date(now.getTime() + ms)
const before = (ms: number) => after(-ms)

const young: GuardedNumber = {
  linkedAt: before(3 * dayMs),
  overrides: {},
  blockedUntil: null,
  network: null,
  campaignsStopped: false,
  usage: [],
}
const text: GuardedMessage = {
  id: 'm',
  recipient: '12025550100',
  relation: 'new',
  urgent: false,
  campaign: false,
  quietUntil: null,
  nights: '',
}
const sent = (ms: number, messages: number, conversations = 0): Usage => ({
  slotMs: now.getTime() - ms,
  messages,
  conversations,
})
/** What happens to one message of a number. */
function verdictOf(number: Partial<GuardedNumber>, message: Partial<GuardedMessage> = {}) {
  const [verdict] = applyGuard(standardRules, { ...young, ...number }, [{ ...text, ...message }], now)
  if (!verdict) throw new Error('a message has a verdict')
  return verdict.rule === null ? 'leaves' : verdict.rule
}

describe('the table of the guard rules', () => {
  it.each([
    [0, 20, 20, 50],
    [2, 20, 20, 50],
    [3, 40, 40, 200],
    [5, 40, 40, 200],
    [6, 60, 80, 500],
    [10, 60, 80, 500],
    [11, 100, 150, 1000],
    [30, 100, 150, 1000],
    [31, 200, null, 2000],
    [400, 200, null, 2000],
  ])(
    '%d days after the link: %d conversations, %s messages an hour, %d a day',
    (days, conversations, perHour, perDay) => {
      const linkedAt = before(days * dayMs + hourMs)
      expect(limitsFor(standardRules, daysLinked(linkedAt, now))).toMatchObject({ conversations, perHour, perDay })
      const full = (used: Usage) => verdictOf({ linkedAt, usage: [used] })
      // Five hours ago, so that the hour has room.
      const earlier = 5 * hourMs
      expect([
        full(sent(earlier, conversations - 1, conversations - 1)),
        full(sent(earlier, 1, conversations)),
      ]).toEqual(['leaves', 'conversations'])
      const known = (used: Usage) => verdictOf({ linkedAt, usage: [used] }, { relation: 'known' })
      expect([known(sent(earlier, perDay - 1)), known(sent(earlier, perDay))]).toEqual(['leaves', 'day'])
      const lastHour = perHour ?? perDay - 1
      expect([known(sent(0, lastHour - 1)), known(sent(0, lastHour))]).toEqual([
        'leaves',
        perHour === null ? 'leaves' : 'hour',
      ])
    },
  )

  it.each([
    [
      'a reply within 24 hours, whatever is used up',
      { usage: [sent(0, 9999, 9999)], blockedUntil: after(dayMs) },
      { relation: 'replied' },
      'leaves',
    ],
    ['an urgent message', { usage: [sent(0, 9999, 9999)] }, { urgent: true }, 'leaves'],
    [
      'an urgent message to a new person under a time lock',
      { blockedUntil: after(hourMs) },
      { urgent: true },
      'time_lock',
    ],
    ['a message to a known person under a time lock', { blockedUntil: after(hourMs) }, { relation: 'known' }, 'leaves'],
    ['a time lock that is over', { blockedUntil: before(1) }, {}, 'leaves'],
    [
      'a new person, with the quota of the network used up',
      { network: { left: 0, resetsAt: after(hourMs) } },
      {},
      'network_quota',
    ],
    [
      'a known person, with the quota of the network used up',
      { network: { left: 0, resetsAt: after(hourMs) } },
      { relation: 'known' },
      'leaves',
    ],
    ['a quota of the network that has been reset', { network: { left: 0, resetsAt: before(1) } }, {}, 'leaves'],
    ['a stopped campaign', { campaignsStopped: true }, { campaign: true, relation: 'known' }, 'off_network'],
    ['a text of a number whose campaigns are stopped', { campaignsStopped: true }, {}, 'leaves'],
    ['a campaign at night', {}, { campaign: true, quietUntil: () => after(hourMs) }, 'quiet_hours'],
    ['a text at night', {}, { quietUntil: () => after(hourMs) }, 'leaves'],
    ['the time lock before the table', { blockedUntil: after(hourMs), usage: [sent(0, 9999, 9999)] }, {}, 'time_lock'],
    [
      'a limit of the operator',
      { overrides: { perDay: 1 }, usage: [sent(5 * hourMs, 1)] },
      { relation: 'known' },
      'day',
    ],
    [
      'no limit by the operator',
      { overrides: { perHour: null, perDay: null, conversations: null }, usage: [sent(0, 9999, 9999)] },
      {},
      'leaves',
    ],
  ] as const)('%s: %#', (_what, number, message, expected) => {
    expect(verdictOf(number, message)).toBe(expected)
  })

  it('lets a second message to a new person leave as one conversation', () => {
    const number = { ...young, overrides: { conversations: 1 } }
    const [first, second, third] = applyGuard(
      standardRules,
      number,
      ['1', '1', '2'].map((recipient) => ({ ...text, id: recipient, recipient })),
      now,
    )
    expect([first, second, third]).toMatchObject([
      { rule: null, opens: true },
      { rule: null, opens: false },
      { rule: 'conversations' },
    ])
  })

  it.each(['', '0:1/2', '1:1/1/1', '0:1/1/1,0:2/2/2', '0:x/1/1'])('is not read from %j', (table) => {
    expect(parseRules(table)).toBeNull()
  })

  it('is read from a setting', () => {
    expect(parseRules('0:20/-/50, 3:40/40/-')?.ages).toEqual([
      { fromDay: 0, conversations: 20, perHour: null, perDay: 50 },
      { fromDay: 3, conversations: 40, perHour: 40, perDay: null },
    ])
  })
})

/** The time of the next message that leaves, and what it is. */
const arrival = fc.record({
  waitMs: fc.integer({ min: 0, max: 3 * hourMs }),
  recipient: fc.integer({ min: 0, max: 60 }),
  relation: fc.constantFrom<Relation>('replied', 'known', 'new'),
  urgent: fc.boolean(),
})

describe('a number under guard', () => {
  it('never exceeds an hour or a day, never holds a reply, and lets a held message leave at its time', () => {
    fc.assert(
      fc.property(
        fc.array(arrival, { maxLength: 200 }),
        fc.integer({ min: 0, max: 40 }),
        fc.record({
          conversations: fc.integer({ min: 1, max: 8 }),
          perHour: fc.integer({ min: 1, max: 10 }),
          perDay: fc.integer({ min: 1, max: 25 }),
        }),
        (arrivals, days, overrides) => {
          const linkedAt = before(days * dayMs)
          const usage: Usage[] = []
          const table: { at: number; opens: boolean }[] = []
          let at = now
          for (const { waitMs, recipient, relation, urgent } of arrivals) {
            at = new Date(at.getTime() + waitMs)
            const number = { ...young, linkedAt, overrides, usage }
            const message = { ...text, recipient: String(recipient), relation, urgent }
            const [verdict] = applyGuard(standardRules, number, [message], at)
            if (!verdict) throw new Error('a message has a verdict')
            if (relation === 'replied' || urgent) expect(verdict.rule).toBeNull()
            if (verdict.rule !== null) {
              expect(verdict.until > at).toBe(true)
              // Nothing else leaves until then: its time is a promise.
              expect(applyGuard(standardRules, number, [message], verdict.until)[0]?.rule).toBeNull()
              continue
            }
            if (!verdict.counts) continue
            usage.push({ slotMs: at.getTime(), messages: 1, conversations: verdict.opens ? 1 : 0 })
            if (urgent) continue
            table.push({ at: at.getTime(), opens: verdict.opens })
            const within = (ms: number) => table.filter((one) => one.at > at.getTime() - ms)
            expect(within(hourMs).length).toBeLessThanOrEqual(overrides.perHour)
            expect(within(dayMs).length).toBeLessThanOrEqual(overrides.perDay)
            expect(within(dayMs).filter(({ opens }) => opens).length).toBeLessThanOrEqual(overrides.conversations)
          }
        },
      ),
      { numRuns: 300 },
    )
  })

  it('plans a campaign of 10,000 as far as it goes, within the limits of every day', () => {
    const messages = Array.from({ length: 10_000 }, (_, n) => ({
      ...text,
      id: String(n),
      recipient: String(n),
      campaign: true,
    }))
    const before = process.cpuUsage()
    const verdicts = applyGuard(standardRules, young, messages, now)
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(5000)
    const times = verdicts.map((verdict) => (verdict.rule === null ? now : verdict.until))
    expect(times.filter((at) => at === now)).toHaveLength(40)
    expect(times.every((at, n) => at >= (times[n - 1] ?? now))).toBe(true)
    const plan = times.map((at): Usage => ({ slotMs: at.getTime(), messages: 1, conversations: 1 }))
    for (const day of [0, 1, 5, 10, 40]) {
      const at = after(day * dayMs)
      const { conversations } = limitsFor(standardRules, daysLinked(young.linkedAt, at))
      expect(usedSince(plan, 'conversations', at, dayMs)).toBeLessThanOrEqual(conversations ?? 0)
    }
  })
})
