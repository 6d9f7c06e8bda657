import { describe, expect, it } from 'vitest'
import { instant, instantOrLocalTime, isLocalTime, timeZone } from './instants.ts'

describe('instant', () => {
  it.each([
    ['2026-10-01T09:00:00Z', '2026-10-01T09:00:00.000Z'],
    ['2026-10-01T09:00:00.123456Z', '2026-10-01T09:00:00.123Z'],
    ['2026-10-01T09:00Z', '2026-10-01T09:00:00.000Z'],
    ['2026-10-01T09:00+02:00', '2026-10-01T07:00:00.000Z'],
    ['2026-10-01T09:00:00+05:45', '2026-10-01T03:15:00.000Z'],
    ['2026-03-01T00:30:00+01:00', '2026-02-28T23:30:00.000Z'],
    ['2028-02-29T00:00:00-00:00', '2028-02-29T00:00:00.000Z'],
  ])('reads %s as %s', (given, utc) => {
    expect(instant.parse(given)).toBe(utc)
  })

  it.each([
    ['no offset', '2026-10-01T09:00:00'],
    ['a date only', '2026-10-01'],
    ['a day that does not exist', '2026-02-30T09:00:00Z'],
    ['an hour that does not exist', '2026-10-01T24:00:00Z'],
    ['an offset that does not exist', '2026-10-01T09:00:00+24:00'],
    ['a space for the T', '2026-10-01 09:00:00Z'],
    ['no time at all', 'tomorrow'],
    ['an empty text', ''],
  ])('refuses %s', (_name, given) => {
    expect(instant.safeParse(given).error?.issues[0]).toMatchObject({ code: 'invalid_format', format: 'datetime' })
  })

  it.each(['0000-12-31T23:59:59Z', '0001-01-01T00:00:00+01:00', '9000-01-01T00:00:00Z', '9999-12-31T23:59:59-01:00'])(
    'refuses %s, which no timestamp of four digits can repeat',
    (given) => {
      expect(instant.safeParse(given).error?.issues[0]).toMatchObject({ params: { code: 'invalid_datetime' } })
    },
  )

  it('bounds the digits of the fraction', () => {
    expect(instant.safeParse(`2026-10-01T09:00:00.${'1'.repeat(19)}Z`).success).toBe(true)
    expect(instant.safeParse(`2026-10-01T09:00:00.${'1'.repeat(20)}Z`).success).toBe(false)
  })

  it('refuses a number, which may be seconds or milliseconds', () => {
    expect(instant.safeParse(1_790_000_000).success).toBe(false)
  })
})

describe('a local time', () => {
  it.each(['2027-10-01T09:00', '2027-10-01T09:00:00', '2027-10-01T09:00:00.123456789', '8998-12-31T23:59'])(
    'is %s, which stays as it is',
    (given) => {
      expect(instantOrLocalTime.parse(given)).toBe(given)
      expect(isLocalTime(given)).toBe(true)
    },
  )

  it.each([
    ['more digits than a clock has', '2027-10-01T09:00:00.1234567890'],
    ['a day that does not exist', '2027-02-30T09:00'],
    ['a date only', '2027-10-01'],
    ['a point without digits', '2027-10-01T09:00:00.'],
    ['a year that no zone has in range', '0000-12-31T23:59'],
    ['a year that an instant cannot have', '9500-01-01T00:00'],
    ['the last year of instants, which a zone moves out of it', '8999-12-31T23:59'],
    ['the last minute of four digits', '9999-12-31T23:59'],
  ])('is refused with %s', (_name, given) => {
    expect(instantOrLocalTime.safeParse(given).error?.issues[0]).toMatchObject({ params: { code: 'invalid_datetime' } })
  })
})

describe('timeZone', () => {
  it.each(['Europe/Berlin', 'UTC', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5', 'europe/berlin', undefined])(
    'takes %j',
    (zone) => {
      expect(timeZone.parse(zone)).toBe(zone)
    },
  )

  it.each(['', '+02:00', 'Mars/Olympus', 'Europe/Berlin ', 'x'.repeat(65)])('refuses %j', (zone) => {
    expect(timeZone.safeParse(zone).success).toBe(false)
  })

  it('returns the same the second time', () => {
    expect(timeZone.safeParse('Asia/Tokyo').success).toBe(true)
    expect(timeZone.safeParse('Asia/Tokyo').success).toBe(true)
    expect(timeZone.safeParse('Asia/Nowhere').success).toBe(false)
    expect(timeZone.safeParse('Asia/Nowhere').success).toBe(false)
  })
})
