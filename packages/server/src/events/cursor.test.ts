import { describe, expect, it } from 'vitest'
import { ApiError } from '#platform/errors.ts'
import { formatCursor, parseCursor } from './cursor.ts'

describe('cursors', () => {
  it.each([0, 1, 12_345, 999_999_999_999_999])('lead back to position %i', (position) => {
    expect(parseCursor(formatCursor(position))).toEqual({ position })
  })

  it('may be the id of an event', () => {
    const eventId = '0195a3c4-6a00-7000-8000-000000000001'
    expect(parseCursor(eventId)).toEqual({ eventId })
  })

  it.each([
    '',
    '5',
    'abc',
    'MS4',
    'MS4tMQ',
    `${formatCursor(5)}=`,
    `${formatCursor(5)} `,
    Buffer.from('1.05').toString('base64url'),
    Buffer.from('1.1000000000000000').toString('base64url'),
    Buffer.from('1.9223372036854775808').toString('base64url'),
    Buffer.from('1.1e3').toString('base64url'),
    Buffer.from('0000-01-01T00:00:00.000Z 00000000-0000-0000-0000-000000000000').toString('base64url'),
    '0195a3c4-6a00-7000-8000-00000000000g',
  ])('are refused when they are %j', (text) => {
    expect(() => parseCursor(text)).toThrow(ApiError)
  })
})
