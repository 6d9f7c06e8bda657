import { describe, expect, it } from 'vitest'
import { isOpen } from './hours.ts'
import { languageOf } from './language.ts'
import { countSpoken } from './loop-guard.ts'

describe('business hours', () => {
  const week = [1, 2, 3, 4, 5].map((day) => ({ day, from: '09:00', to: '17:00' }))
  const berlin = { timeZone: 'Europe/Berlin', week, closed: ['2026-12-25'] }
  it.each([
    ['2026-11-03T08:00:00Z', true, 'Tuesday at 9 in winter'],
    ['2026-11-03T07:59:00Z', false, 'a minute earlier'],
    ['2026-11-03T15:59:00Z', true, 'just before 17'],
    ['2026-11-03T16:00:00Z', false, 'at 17'],
    ['2026-07-07T07:00:00Z', true, 'Tuesday at 9 in summer'],
    ['2026-03-27T07:59:00Z', false, 'the Friday before the clocks go forward'],
    ['2026-03-30T07:00:00Z', true, 'the Monday after it'],
    ['2026-11-07T10:00:00Z', false, 'Saturday'],
    ['2026-12-25T10:00:00Z', false, 'a closed day'],
  ])('at %s are %s: %s', (at, open) => {
    expect(isOpen(berlin, new Date(at))).toBe(open)
  })

  it('of null are always open, and 24:00 is midnight', () => {
    expect(isOpen(null, new Date())).toBe(true)
    const late = { timeZone: 'UTC', week: [{ day: 2, from: '20:00', to: '24:00' }], closed: [] }
    expect(isOpen(late, new Date('2026-11-03T23:59:59Z'))).toBe(true)
    expect(isOpen(late, new Date('2026-11-04T00:00:00Z'))).toBe(false)
  })
})

describe('the language of a question', () => {
  it.each([
    ['Do you deliver on Sundays?', ['en', 'es', 'de'], 'es', 'en'],
    ['¿Cuánto cuesta el envío a casa?', ['en', 'es', 'de'], 'en', 'es'],
    ['Haben Sie am Sonntag geöffnet?', ['en', 'es', 'de'], 'en', 'de'],
    ['hola', ['en', 'es'], 'en', 'en'],
    ['¿Cuánto cuesta el envío a casa?', ['en'], 'en', 'en'],
    ['hola', ['de', 'en'], 'fr', 'de'],
  ])('of %j among %j, in %s until then, is %s', (text, languages, present, expected) => {
    expect(languageOf(text, languages, present)).toBe(expected)
  })
})

describe('the loop guard', () => {
  it('allows 6 answers a minute and 20 an hour, and forgets what is older', () => {
    const now = 10_000_000
    expect(
      countSpoken(
        [1, 2, 3, 4, 5].map((n) => now - n),
        now,
        'answers',
      ),
    ).toHaveLength(6)
    expect(
      countSpoken(
        [1, 2, 3, 4, 5, 6].map((n) => now - n),
        now,
        'answers',
      ),
    ).toBeNull()
    const spread = Array.from({ length: 20 }, (_, n) => now - 61_000 - n * 60_000)
    expect(countSpoken(spread, now, 'answers')).toBeNull()
    expect(countSpoken(spread, now + 3_600_000, 'answers')).toEqual([now + 3_600_000])
    expect(
      countSpoken(
        Array.from({ length: 29 }, () => now),
        now,
        'orderSteps',
      ),
    ).toHaveLength(30)
  })
})
