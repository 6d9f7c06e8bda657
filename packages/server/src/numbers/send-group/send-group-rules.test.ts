import type { NumberStatus } from '@msgctl/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type NumberCandidate, senderSelector } from './select-number.ts'
import { groupSelector, type SelectionContext, type SendGroup } from './send-group-rules.ts'

const statuses = ['WORKING', 'SCAN_QR_CODE', 'STARTING', 'STOPPED', 'FAILED', 'UNREACHABLE'] as const
const contact = '12025550100'

/** `a` is the default number; the text names those that can send, the group is b, c, d in this order. */
function chosen(
  able: string,
  group: Partial<SendGroup>,
  known: { last?: string; turns?: Record<string, number> } = {},
) {
  const senders = [...able].map((id) => ({ id, isDefault: id === 'a' }))
  const whole: SendGroup = { enabled: true, containerIds: ['b', 'c', 'd'], mode: 'backup', sticky: true, ...group }
  const lastNumbers = new Map(known.last === undefined ? [] : [[contact, known.last]])
  const queueLoad = new Map(Object.entries(known.turns ?? {}))
  return groupSelector(whole, senders, { lastNumbers, queueLoad })(contact)?.id ?? null
}

describe('a send group in backup mode', () => {
  it.each([
    { able: 'abcd', number: 'a', why: 'the default can send' },
    { able: 'abcd', last: 'c', number: 'a', why: 'the default can send, whichever number had the contact' },
    { able: 'cbd', number: 'b', why: 'the default is down: the next in the order of the group' },
    { able: 'cd', number: 'c', why: 'the next one is down too' },
    { able: 'bcd', last: 'd', number: 'd', why: 'the contact had this stand-in' },
    { able: 'bc', last: 'd', number: 'b', why: 'the stand-in the contact had is down' },
    { able: 'bcdx', last: 'x', number: 'b', why: 'the contact had a number outside the group' },
    { able: 'bcd', last: 'd', sticky: false, number: 'b', why: 'contacts do not stick' },
    { able: 'x', number: null, why: 'no number of the group can send' },
    { able: '', number: null, why: 'no number can send' },
    { able: 'abcd', enabled: false, number: null, why: 'it is off' },
  ])('gives $number when $why', ({ able, number, last, ...group }) => {
    expect(chosen(able, group, last === undefined ? {} : { last })).toBe(number)
  })
})

describe('a send group in share mode', () => {
  it.each([
    { able: 'abcd', turns: { b: 3, c: 1, d: 2 }, number: 'c', why: 'it has the fewest turns taken' },
    { able: 'abcd', turns: { a: 0, b: 3, c: 4, d: 5 }, number: 'b', why: 'the default is not in the group' },
    { able: 'abd', turns: { b: 9, c: 0, d: 8 }, number: 'd', why: 'the freest one is down' },
    { able: 'abcd', turns: { b: 9, c: 0, d: 0 }, last: 'b', number: 'b', why: 'the contact had it' },
    { able: 'acd', turns: { c: 1, d: 0 }, last: 'b', number: 'd', why: 'the one the contact had is down' },
    { able: 'abc', turns: { b: 9, c: 0 }, last: 'b', sticky: false, number: 'c', why: 'contacts do not stick' },
    { able: 'a', turns: {}, number: null, why: 'no number of the group can send' },
  ])('gives $number when $why', ({ able, number, turns, last, ...group }) => {
    const known = last === undefined ? { turns } : { turns, last }
    expect(chosen(able, { ...group, mode: 'share' }, known as Parameters<typeof chosen>[2])).toBe(number)
  })

  const share: SendGroup = { enabled: true, containerIds: ['b', 'c', 'd'], mode: 'share', sticky: true }
  const senders = ['b', 'c', 'd'].map((id) => ({ id, isDefault: false }))

  it('spreads many contacts to within one message, whatever waited before', () => {
    const queueLoad = new Map([
      ['b', 40],
      ['c', 10],
    ])
    const choose = groupSelector(share, senders, { lastNumbers: new Map(), queueLoad })
    const counts = { b: 40, c: 10, d: 0 }
    for (let n = 0; n < 500; n += 1) counts[(choose(`1202555${n}`)?.id ?? 'b') as keyof typeof counts] += 1
    expect(Math.max(...Object.values(counts)) - Math.min(...Object.values(counts))).toBeLessThanOrEqual(1)
  })

  it('shares quiet numbers too: single sends of many contacts, each with nothing waiting', () => {
    const counts = new Map<string, number>()
    for (let n = 0; n < 3000; n += 1) {
      const id =
        groupSelector(share, senders, { lastNumbers: new Map(), queueLoad: new Map() })(`1202${5_550_000 + n}`)?.id ??
        ''
      counts.set(id, (counts.get(id) ?? 0) + 1)
    }
    for (const id of ['b', 'c', 'd']) expect(counts.get(id)).toBeGreaterThan(800)
  })

  it('gives one contact one number within a list', () => {
    const choose = groupSelector({ ...share, sticky: false }, senders, { lastNumbers: new Map(), queueLoad: new Map() })
    const first = choose(contact)
    for (let n = 0; n < 20; n += 1) choose(`1202555${n}`)
    expect(choose(contact)).toBe(first)
  })
})

const ids = ['a', 'b', 'c', 'd', 'e']
const candidate = (id: string) =>
  fc.record({
    id: fc.constant(id),
    status: fc.constantFrom<NumberStatus>(...statuses),
    held: fc.boolean(),
    isDefault: fc.constant(id === 'a'),
  })
const situation = fc.record({
  candidates: fc
    .subarray(ids)
    .chain((some) => fc.tuple(...some.map(candidate)))
    .map((some): NumberCandidate[] => some),
  group: fc.record({
    enabled: fc.boolean(),
    containerIds: fc.shuffledSubarray([...ids, 'gone']),
    mode: fc.constantFrom('backup' as const, 'share' as const),
    sticky: fc.boolean(),
  }),
  wish: fc.record({
    ownContainerId: fc.option(fc.constantFrom(...ids, 'theirs')),
    containerId: fc.option(fc.constantFrom(...ids, 'theirs')),
  }),
  last: fc.option(fc.constantFrom(...ids, 'gone')),
  turns: fc.dictionary(fc.constantFrom(...ids), fc.nat(300)),
})

describe('whatever the numbers, the group and the caller are', () => {
  const circumstances = ({
    last,
    turns,
  }: {
    last: string | null
    turns: Record<string, number>
  }): SelectionContext => ({
    lastNumbers: new Map(last === null ? [] : [[contact, last]]),
    queueLoad: new Map(Object.entries(turns)),
  })

  it('a send never goes through a number that does not work or is not the organization’s', () => {
    fc.assert(
      fc.property(situation, ({ candidates, group, wish, ...known }) => {
        const choice = senderSelector(candidates, wish, group, circumstances(known))(contact)
        if (choice.is !== 'chosen') return
        expect(candidates).toContain(choice.number)
        expect(choice.number.status).toBe('WORKING')
        const asked = wish.ownContainerId ?? wish.containerId
        expect(choice.pinned).toBe(asked !== null)
        if (asked !== null) expect(choice.number.id).toBe(asked)
      }),
    )
  })

  it('a send that is not pinned to a number finds one whenever one works', () => {
    fc.assert(
      fc.property(situation, ({ candidates, group, ...known }) => {
        const wish = { ownContainerId: null, containerId: null }
        const choice = senderSelector(candidates, wish, group, circumstances(known))(contact)
        expect(choice.is === 'chosen').toBe(candidates.some(({ status }) => status === 'WORKING'))
      }),
    )
  })

  it('a sticky contact of a sharing group stays on its number as long as that one can send', () => {
    fc.assert(
      fc.property(situation, fc.constantFrom(...ids), ({ candidates, group, turns }, id) => {
        const kept: NumberCandidate = { id, isDefault: id === 'a', status: 'WORKING', held: false }
        const others = candidates.filter((other) => other.id !== id)
        const containerIds = [...new Set([...group.containerIds, id])]
        const sharing = { containerIds, enabled: true, mode: 'share' as const, sticky: true }
        const wish = { ownContainerId: null, containerId: null }
        const choose = senderSelector([...others, kept], wish, sharing, circumstances({ last: id, turns }))
        expect(choose(contact)).toEqual({ is: 'chosen', number: kept, pinned: false })
      }),
    )
  })
})
