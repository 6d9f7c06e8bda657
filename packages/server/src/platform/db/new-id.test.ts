import { afterEach, describe, expect, it, vi } from 'vitest'
import { newId } from './new-id.ts'

const make = (count: number) => Array.from({ length: count }, () => newId())

afterEach(() => {
  vi.useRealTimers()
})

describe('newId', () => {
  it('returns UUIDs of version 7 that begin with the time', () => {
    vi.useFakeTimers({ now: new Date('2031-01-01T12:00:00.000Z') })
    const id = newId()
    expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
    const ms = Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)
    expect(ms).toBe(new Date('2031-01-01T12:00:00.000Z').getTime())
  })

  it('returns ids that ascend and differ, also more than a millisecond has', () => {
    vi.useFakeTimers({ now: new Date('2032-01-01T00:00:00.000Z') })
    const ids = make(5000)
    expect(ids).toEqual(ids.toSorted())
    // The last 48 bits are random, so no two of them are alike either.
    expect(new Set(ids.map((id) => id.slice(-12))).size).toBe(5000)
  })

  it('returns ids that ascend when the clock is set back', () => {
    vi.useFakeTimers({ now: new Date('2033-01-01T00:00:00.000Z') })
    const before = make(3)
    vi.setSystemTime(new Date('2032-12-31T23:59:00.000Z'))
    const after = make(3)
    expect([...before, ...after]).toEqual([...before, ...after].toSorted())
  })
})
