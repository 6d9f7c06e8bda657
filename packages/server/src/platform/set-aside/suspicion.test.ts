import { describe, expect, it } from 'vitest'
import { chooseInOrder, countSuspects, mostLost, toGroups, togetherAt } from './suspicion.ts'

const items = (lostProcesses: number, ...names: string[]) => names.map((item) => ({ item, lostProcesses }))

describe('items that lost processes', () => {
  it('are worked on after the others, those that lost two alone', () => {
    expect(toGroups([...items(2, 'c', 'd'), ...items(0, 'a', 'b'), ...items(3, 'f'), ...items(1, 'e')])).toEqual([
      ['a', 'b'],
      ['e'],
      ['c'],
      ['d'],
      ['f'],
    ])
    expect(toGroups([])).toEqual([])
  })

  it('that lost one are worked on in groups', () => {
    const many = items(1, ...Array.from({ length: 601 }, (_, n) => String(n)))
    expect(toGroups(many).map(({ length }) => length)).toEqual([300, 300, 1])
  })

  it('are alone with the last processes before they are set aside', () => {
    expect([0, 1, 2, 3, 4, 99].map(togetherAt)).toEqual([Number.POSITIVE_INFINITY, 300, 1, 1, 1, 1])
    expect(mostLost).toBe(4)
  })
})

describe('items in the order of their lanes', () => {
  const lanes = (...of: [lane: string, item: string, lostProcesses: number | null][]) =>
    of.map(([lane, item, lostProcesses]) => ({ lane, item, lostProcesses }))

  it.each([
    ['all while none is suspected', lanes(['a', 'a1', 0], ['b', 'b1', 0], ['a', 'a2', 0]), ['a1', 'b1', 'a2'], []],
    ['none behind one that is in work', lanes(['a', 'a1', null], ['a', 'a2', 0], ['b', 'b1', 0]), ['b1'], ['b1']],
    ['none behind a suspect', lanes(['a', 'a1', 1], ['a', 'a2', 0], ['b', 'b1', 0], ['b', 'b2', 1]), ['b1'], ['a1']],
    ['one at a time of those that lost two', lanes(['a', 'a1', 2], ['a', 'a2', 2], ['b', 'b1', 2]), ['a1'], ['a1']],
    ['those that lost the fewest', lanes(['a', 'a1', 3], ['b', 'b1', 1], ['c', 'c1', 1]), ['b1', 'c1'], ['b1', 'c1']],
    ['nothing while all are in work', lanes(['a', 'a1', null], ['a', 'a2', 0]), [], []],
  ] as const)('leave as %s', (_what, given, chosen, suspectsFirst) => {
    expect(chooseInOrder(given, false)).toEqual(chosen)
    expect(chooseInOrder(given, true)).toEqual(suspectsFirst.length > 0 ? suspectsFirst : chosen)
  })
})

describe('what a loop has in work', () => {
  it('is counted by the number of processes that were lost', () => {
    const suspects = countSuspects()
    suspects.add(0)
    expect(suspects.read().count).toBe(0)
    suspects.add(2)
    expect(suspects.read()).toEqual({ lostProcesses: 2, count: 1 })
    // One that is being set aside is not worked on.
    suspects.add(mostLost)
    suspects.remove(mostLost)
    suspects.remove(0)
    expect(suspects.read()).toEqual({ lostProcesses: 2, count: 1 })
    suspects.remove(2)
    expect(suspects.read().count).toBe(0)
  })
})
