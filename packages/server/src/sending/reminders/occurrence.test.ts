import type { Repeat } from '@msgctl/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nextOccurrence, type Schedule } from './occurrence.ts'

/** The first occurrences, each found from the one before. */
function occurrences(first: string, repeat: Repeat, timeZone: string, count: number): string[] {
  const schedule: Schedule = { firstSendAt: new Date(first), repeat, timeZone }
  const found: Date[] = [schedule.firstSendAt]
  while (found.length < count) {
    const next = nextOccurrence(schedule, found.at(-1) ?? schedule.firstSendAt)
    if (next === null) break
    found.push(next)
  }
  return found.map((at) => at.toISOString().replace(':00.000Z', 'Z'))
}

describe('the 31st of each month', () => {
  it('is the last day of shorter months through two years with a leap day, and the 31st again after them', () => {
    expect(occurrences('2027-01-31T09:00:00Z', 'monthly', 'UTC', 26)).toEqual(
      [
        ...['2027-01-31', '2027-02-28', '2027-03-31', '2027-04-30', '2027-05-31', '2027-06-30', '2027-07-31'],
        ...['2027-08-31', '2027-09-30', '2027-10-31', '2027-11-30', '2027-12-31', '2028-01-31', '2028-02-29'],
        ...['2028-03-31', '2028-04-30', '2028-05-31', '2028-06-30', '2028-07-31', '2028-08-31', '2028-09-30'],
        ...['2028-10-31', '2028-11-30', '2028-12-31', '2029-01-31', '2029-02-28'],
      ].map((day) => `${day}T09:00Z`),
    )
  })

  it('is the 31st of the zone, which may be another day in UTC', () => {
    expect(occurrences('2027-01-31T23:30:00Z', 'monthly', 'Europe/Berlin', 3)).toEqual([
      '2027-01-31T23:30Z',
      '2027-02-28T23:30Z',
      '2027-03-31T22:30Z',
    ])
    expect(occurrences('2027-02-01T04:30:00Z', 'monthly', 'America/New_York', 4)).toEqual([
      '2027-02-01T04:30Z',
      '2027-03-01T04:30Z',
      '2027-04-01T03:30Z',
      '2027-05-01T03:30Z',
    ])
  })
})

describe('a leap day', () => {
  it('repeats on the 29th, and on the 28th of a February without one', () => {
    expect(occurrences('2028-02-29T12:00:00Z', 'monthly', 'UTC', 13)).toEqual([
      ...['2028-02-29', '2028-03-29', '2028-04-29', '2028-05-29', '2028-06-29', '2028-07-29'].map((d) => `${d}T12:00Z`),
      ...['2028-08-29', '2028-09-29', '2028-10-29', '2028-11-29', '2028-12-29', '2029-01-29'].map((d) => `${d}T12:00Z`),
      '2029-02-28T12:00Z',
    ])
  })

  it('is a day like any other for daily and weekly repeats', () => {
    expect(occurrences('2028-02-28T12:00:00Z', 'daily', 'UTC', 3)).toEqual([
      '2028-02-28T12:00Z',
      '2028-02-29T12:00Z',
      '2028-03-01T12:00Z',
    ])
    expect(occurrences('2028-02-22T12:00:00Z', 'weekly', 'UTC', 3)).toEqual([
      '2028-02-22T12:00Z',
      '2028-02-29T12:00Z',
      '2028-03-07T12:00Z',
    ])
  })
})

describe('the wall-clock time of a zone', () => {
  it.each([
    // Berlin: 28 March 2027 from 02:00 to 03:00, 31 October 2027 from 03:00 back to 02:00.
    ['daily', 'Europe/Berlin', '2027-03-27T08:00:00Z', ['2027-03-27T08:00Z', '2027-03-28T07:00Z', '2027-03-29T07:00Z']],
    ['daily', 'Europe/Berlin', '2027-10-30T07:00:00Z', ['2027-10-30T07:00Z', '2027-10-31T08:00Z', '2027-11-01T08:00Z']],
    ['weekly', 'Europe/Berlin', '2027-03-22T08:00:00Z', ['2027-03-22T08:00Z', '2027-03-29T07:00Z']],
    ['weekly', 'Europe/Berlin', '2027-10-25T07:00:00Z', ['2027-10-25T07:00Z', '2027-11-01T08:00Z']],
    ['monthly', 'Europe/Berlin', '2027-03-15T08:00:00Z', ['2027-03-15T08:00Z', '2027-04-15T07:00Z']],
    ['monthly', 'Europe/Berlin', '2027-10-15T07:00:00Z', ['2027-10-15T07:00Z', '2027-11-15T08:00Z']],
    // New York: 14 March 2027 from 02:00 to 03:00, 7 November 2027 from 02:00 back to 01:00.
    ['daily', 'America/New_York', '2027-03-13T14:00:00Z', ['2027-03-13T14:00Z', '2027-03-14T13:00Z']],
    ['daily', 'America/New_York', '2027-11-06T13:00:00Z', ['2027-11-06T13:00Z', '2027-11-07T14:00Z']],
    ['weekly', 'America/New_York', '2027-03-08T14:00:00Z', ['2027-03-08T14:00Z', '2027-03-15T13:00Z']],
    ['weekly', 'America/New_York', '2027-11-01T13:00:00Z', ['2027-11-01T13:00Z', '2027-11-08T14:00Z']],
    ['monthly', 'America/New_York', '2027-02-20T14:00:00Z', ['2027-02-20T14:00Z', '2027-03-20T13:00Z']],
    ['monthly', 'America/New_York', '2027-10-20T13:00:00Z', ['2027-10-20T13:00Z', '2027-11-20T14:00Z']],
    // Without a zone of its own nothing changes.
    ['daily', 'UTC', '2027-03-27T08:00:00Z', ['2027-03-27T08:00Z', '2027-03-28T08:00Z', '2027-03-29T08:00Z']],
  ] as const)('is kept by %s repeats in %s from %s', (repeat, zone, first, expected) => {
    expect(occurrences(first, repeat, zone, expected.length)).toEqual(expected)
  })

  it.each([
    // 02:30 in the hour that the clocks leave out, and the day after.
    ['Europe/Berlin', '2027-03-27T01:30:00Z', ['2027-03-27T01:30Z', '2027-03-28T01:30Z', '2027-03-29T00:30Z']],
    ['America/New_York', '2027-03-13T07:30:00Z', ['2027-03-13T07:30Z', '2027-03-14T07:30Z', '2027-03-15T06:30Z']],
  ])('moves on by what the clocks of %s leave out, and back the day after', (zone, first, expected) => {
    expect(occurrences(first, 'daily', zone, 3)).toEqual(expected)
  })

  it.each([
    // 02:30 and 01:30 in the hour that the clocks show twice.
    ['Europe/Berlin', '2027-10-30T00:30:00Z', ['2027-10-30T00:30Z', '2027-10-31T00:30Z', '2027-11-01T01:30Z']],
    ['America/New_York', '2027-11-06T05:30:00Z', ['2027-11-06T05:30Z', '2027-11-07T05:30Z', '2027-11-08T06:30Z']],
  ])('is the first of the two that the clocks of %s show', (zone, first, expected) => {
    expect(occurrences(first, 'daily', zone, 3)).toEqual(expected)
  })
})

describe('the next occurrence', () => {
  it('is none after the only one', () => {
    const schedule = { firstSendAt: new Date('2027-01-01T00:00:00Z'), repeat: 'none', timeZone: 'UTC' } as const
    expect(nextOccurrence(schedule, new Date('2026-12-31T00:00:00Z'))).toEqual(schedule.firstSendAt)
    expect(nextOccurrence(schedule, schedule.firstSendAt)).toBeNull()
  })

  it('is found at once after many years', () => {
    const schedule = { firstSendAt: new Date('2027-01-31T09:00:00Z'), repeat: 'daily', timeZone: 'UTC' } as const
    expect(nextOccurrence(schedule, new Date('7999-06-01T10:00:00Z'))).toEqual(new Date('7999-06-02T09:00:00Z'))
  })

  it('knows every zone that the contract lets pass, in any case', () => {
    const firstSendAt = new Date('2027-01-31T09:00:00Z')
    for (const zone of ['UTC', 'utc', 'europe/berlin', 'Etc/GMT+5', 'EST', ...Intl.supportedValuesOf('timeZone')]) {
      expect(nextOccurrence({ firstSendAt, repeat: 'monthly', timeZone: zone }, firstSendAt), zone).toBeInstanceOf(Date)
    }
  })

  it('is the same counted from any moment between two occurrences, and never skips one', () => {
    const within = { min: new Date('2026-01-01T00:00:00Z'), max: new Date('2032-01-01T00:00:00Z'), noInvalidDate: true }
    const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Pacific/Apia', 'Asia/Kathmandu']
    fc.assert(
      fc.property(
        fc.date(within),
        fc.date(within),
        fc.constantFrom<Repeat>('daily', 'weekly', 'monthly'),
        fc.constantFrom(...zones),
        (firstSendAt, after, repeat, timeZone) => {
          const schedule = { firstSendAt, repeat, timeZone }
          const next = nextOccurrence(schedule, after)
          if (next === null) throw new Error('a repeat has no end')
          expect(next > after).toBe(true)
          expect(nextOccurrence(schedule, new Date(next.getTime() - 1))).toEqual(next)
          const following = nextOccurrence(schedule, next)
          const days = ((following?.getTime() ?? 0) - next.getTime()) / 86_400_000
          const longest = { none: 0, daily: 1, weekly: 7, monthly: 31 }[repeat]
          expect(days).toBeGreaterThan({ none: 0, daily: 0.9, weekly: 6.9, monthly: 27.9 }[repeat])
          expect(days).toBeLessThan(longest + 0.1)
        },
      ),
      { numRuns: 1000 },
    )
  })
})
