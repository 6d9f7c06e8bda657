import { describe, expect, it } from 'vitest'
import { instantFrom } from './moment.ts'

// A Wednesday, 09:30 in Berlin.
const nowMs = Date.parse('2027-03-24T08:30:00Z')
const read = (text: string, timeZone = 'Europe/Berlin') => instantFrom(text, '--at', { nowMs, timeZone })

describe('a time that a person types', () => {
  it.each([
    ['2027-05-01T09:00:00+02:00', '2027-05-01T09:00:00+02:00'],
    ['+2h', '2027-03-24T10:30:00Z'],
    ['+1d2h30m', '2027-03-25T11:00:00Z'],
    ['2027-03-27 09:00', '2027-03-27T08:00:00Z'],
    // Daylight saving begins on March 28 at 02:00.
    ['2027-03-28T09:00', '2027-03-28T07:00:00Z'],
    ['tomorrow 9:00', '2027-03-25T08:00:00Z'],
    ['today 18:15', '2027-03-24T17:15:00Z'],
    ['10:00', '2027-03-24T09:00:00Z'],
    ['9:00', '2027-03-25T08:00:00Z'],
    ['monday 9:00', '2027-03-29T07:00:00Z'],
    ['wed at 9:00', '2027-03-31T07:00:00Z'],
  ])('%s is %s', (text, instant) => {
    expect(read(text)).toBe(instant)
  })

  it('is read in the zone that is given', () => {
    expect(read('2027-05-01 09:00', 'America/New_York')).toBe('2027-05-01T13:00:00Z')
    expect(() => read('2027-05-01 09:00', 'Nowhere')).toThrow('The time zone Nowhere is unknown.')
  })

  it.each([
    [
      '2027-03-14 02:30',
      '2027-03-14T07:30:00Z',
      'The clocks of America/New_York skip 2027-03-14 02:30. This is taken as 2027-03-14 03:30, 2027-03-14T07:30:00Z.',
    ],
    [
      '2027-11-07 01:30',
      '2027-11-07T05:30:00Z',
      'The clocks of America/New_York show 2027-11-07 01:30 twice. This is the first time, 2027-11-07T05:30:00Z; the ' +
        'second is 2027-11-07T06:30:00Z.',
    ],
    ['2027-03-14 03:00', '2027-03-14T07:00:00Z', undefined],
    ['2027-11-07 02:00', '2027-11-07T07:00:00Z', undefined],
    ['2027-11-07T01:30:00-05:00', '2027-11-07T01:30:00-05:00', undefined],
  ])('%s is reported where clocks skip or repeat it', (text, instant, expected) => {
    const notes: string[] = []
    const note = (line: string) => void notes.push(line)
    const winter = { nowMs: Date.parse('2027-03-01T08:30:00Z'), timeZone: 'America/New_York', note }
    expect(instantFrom(text, '--at', winter)).toBe(instant)
    expect(notes).toEqual(expected === undefined ? [] : [expected])
  })

  it('by its day is reported once where the clocks skip it', () => {
    const notes: string[] = []
    const note = (line: string) => void notes.push(line)
    expect(instantFrom('sunday 2:30', '--at', { nowMs, timeZone: 'Europe/Berlin', note })).toBe('2027-03-28T01:30:00Z')
    expect(notes).toHaveLength(1)
  })

  it.each(['soon', '25:00', '2027-13-01T09:00:00Z', '+2', ''])('is refused when it is none: %j', (text) => {
    expect(() => read(text)).toThrow('is not a time')
  })

  it.each(['today 9:00', '2026-01-01T00:00:00Z', '2027-03-24 09:29'])('is refused in the past: %s', (text) => {
    expect(() => read(text)).toThrow('is in the past')
  })
})
