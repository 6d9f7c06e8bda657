import { expect, it } from 'vitest'
import { groupBy, toRounds } from './rounds.ts'

const keyOf = (item: string) => item.slice(0, 1)

it('has each key at most once a round, and keeps the order of each key', () => {
  expect(toRounds(['a1', 'a2', 'b1', 'a3', 'c1', 'b2'], keyOf)).toEqual([['a1', 'b1', 'c1'], ['a2', 'b2'], ['a3']])
  expect(toRounds([], keyOf)).toEqual([])
})

it('groups by key', () => {
  expect([...groupBy(['b1', 'a1', 'b2'], keyOf)]).toEqual([
    ['b', ['b1', 'b2']],
    ['a', ['a1']],
  ])
})
