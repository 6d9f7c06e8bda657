import { expect, it } from 'vitest'
import { toPartsBySize } from './rounds.ts'

it.each([
  ['by their number', [1, 1, 1], [[1, 1], [1]]],
  ['by their sizes', [6, 4, 1], [[6, 4], [1]]],
  ['one that is too large by itself', [1, 30, 1], [[1], [30], [1]]],
  ['none', [], []],
])('splits items: %s', (_what, items, parts) => {
  expect([...toPartsBySize(items, (size) => size, { items: 2, size: 10 })]).toEqual(parts)
})
