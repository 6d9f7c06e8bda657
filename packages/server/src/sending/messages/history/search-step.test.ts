import { describe, expect, it } from 'vitest'
import { hasTrigram, mostSearched, planStep, type SearchProgress } from './search-step.ts'

const hourMs = 3_600_000
const at = Date.UTC(2026, 0, 10, 5, 30)
/** 2,000 messages in half an hour, of which none matches. */
const start: SearchProgress = {
  searched: 2000,
  found: 0,
  wanted: 1001,
  newestMs: at + hourMs / 2,
  oldestMs: at,
  isIndexed: true,
  bound: mostSearched,
}

describe('the next step of a search', () => {
  it('reads as many messages as a frequent part needs', () => {
    expect(planStep({ ...start, found: 999 })).toEqual({ kind: 'read', count: 5 })
    expect(planStep({ ...start, found: 399 })).toEqual({ kind: 'read', count: 3763 })
  })

  it('looks up a rarer part in as many hours or days as it needs, from the last message back', () => {
    const hours = planStep({ ...start, found: 49 })
    expect(hours).toMatchObject({ kind: 'lookUp', unit: 'hour' })
    const starts = hours.kind === 'lookUp' ? hours.startsMs : []
    expect(starts.length).toBe(13)
    expect([starts[0], starts.at(-1)]).toEqual([Date.UTC(2026, 0, 10, 5), Date.UTC(2026, 0, 9, 17)])
    expect(planStep({ ...start, found: 4 })).toMatchObject({ unit: 'day', startsMs: { length: 6 } })
  })

  it('looks up what nothing holds among 64,000 messages, and then among all', () => {
    expect(planStep(start)).toMatchObject({ kind: 'lookUp', unit: 'hour', startsMs: { length: 17 } })
    expect(planStep({ ...start, searched: 66_000 })).toEqual({ kind: 'lookUpRest' })
  })

  it('looks up at least one hour, also when all messages were accepted at once', () => {
    expect(planStep({ ...start, newestMs: at })).toMatchObject({ unit: 'hour', startsMs: { length: 1 } })
  })

  it('looks up the hour before, when all messages were accepted in the first moment of one', () => {
    const onTheHour = { newestMs: Date.UTC(2026, 0, 10, 5), oldestMs: Date.UTC(2026, 0, 10, 5) }
    expect(planStep({ ...start, ...onTheHour })).toMatchObject({
      startsMs: [Date.UTC(2026, 0, 10, 5), Date.UTC(2026, 0, 10, 4)],
    })
  })

  it('reads what the index does not find, up to a limit', () => {
    expect(planStep({ ...start, isIndexed: false })).toEqual({ kind: 'read', count: 20_000 })
    expect(planStep({ ...start, isIndexed: false, searched: mostSearched })).toEqual({ kind: 'end' })
  })
})

describe('the index of trigrams', () => {
  it.each([
    ['abc', true],
    ['0199', true],
    ['سلام', true],
    ['25%', true],
    ['5%', false],
    [' qz', true],
    ['ab', false],
    ['ß', false],
    ['!', false],
    ['- -', false],
  ])('finds %j: %s', (part, is) => {
    expect(hasTrigram(part)).toBe(is)
  })
})
