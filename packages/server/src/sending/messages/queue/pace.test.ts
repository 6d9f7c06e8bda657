import { describe, expect, it } from 'vitest'
import { laneLimit, noPace, plan, standardPace, typingMs } from './pace.ts'

const now = new Date('2026-03-01T12:00:00.000Z')
const long = new Date(0)
const after = (ms: number) => new Date(now.getTime() + ms)
const text = (id: string, length = 10, priority: 'high' | 'normal' | 'low' = 'normal') => ({ id, length, priority })

describe('typingMs', () => {
  it.each([
    { length: 1, ms: 1000 },
    { length: 25, ms: 1000 },
    { length: 50, ms: 2000 },
    { length: 150, ms: 6000 },
    { length: 4096, ms: 6000 },
  ])('types a text of $length characters for $ms ms', ({ length, ms }) => {
    expect(typingMs(standardPace, length)).toBe(ms)
  })

  it('types nothing without pace', () => {
    expect(typingMs(noPace, 100)).toBe(0)
  })
})

describe('roomInLane', () => {
  it.each([
    { gate: long, room: 9, why: 'the whole horizon is free' },
    { gate: now, room: 9, why: 'the gate opens now' },
    { gate: after(3000), room: 6, why: 'three seconds are planned already' },
    { gate: after(8000), room: 1, why: 'only the last moment of the horizon is free' },
    { gate: after(8001), room: 0, why: 'the horizon is full' },
  ])('takes $room messages when $why', ({ gate, room }) => {
    expect(laneLimit(standardPace, now, gate)).toBe(room)
  })

  it.each([
    { gate: long, room: noPace.maxPerClaim },
    { gate: now, room: noPace.maxPerClaim },
    { gate: after(60_000), room: 0 },
  ])('takes $room messages without pace when the gate is at $gate: a pause holds them all', ({ gate, room }) => {
    expect(laneLimit(noPace, now, gate)).toBe(room)
  })
})

describe('plan', () => {
  it('types first and sends one second apart, the typing of the next overlapping', () => {
    const { planned, nextSendAt } = plan(standardPace, now, long, [text('a', 50), text('b', 50), text('c', 150)])
    expect(planned).toEqual([
      { id: 'a', typingAt: now, sendAt: after(2000) },
      { id: 'b', typingAt: after(1000), sendAt: after(3000) },
      { id: 'c', typingAt: now, sendAt: after(6000) },
    ])
    expect(nextSendAt).toEqual(after(7000))
  })

  it('lets a high message pass the gate at once, untyped, and leaves the gate where it is', () => {
    const { planned, nextSendAt } = plan(standardPace, now, after(5000), [text('h', 500, 'high'), text('n')])
    expect(planned[0]).toEqual({ id: 'h', typingAt: null, sendAt: now })
    expect(planned[1]?.sendAt).toEqual(after(5000))
    expect(nextSendAt).toEqual(after(6000))
  })

  it('never lets two texts of a number leave less than a second apart, over ten thousand simulated minutes', () => {
    let time = now
    let nextSendAt = long
    let seed = 7
    const random = () => {
      seed = (seed * 1103515245 + 12345) % 2 ** 31
      return seed / 2 ** 31
    }
    const sends: number[] = []
    for (let minute = 0; minute < 10_000; minute += 1) {
      const waiting = Math.floor(random() * 90)
      const room = Math.min(waiting, laneLimit(standardPace, time, nextSendAt))
      const items = Array.from({ length: room }, (_, n) => text(`${minute}-${n}`, Math.floor(random() * 400)))
      const planned = plan(standardPace, time, nextSendAt, items)
      nextSendAt = planned.nextSendAt
      sends.push(...planned.planned.map(({ sendAt }) => sendAt.getTime()))
      time = new Date(time.getTime() + random() * 60_000)
    }
    expect(sends.length).toBeGreaterThan(10_000)
    for (let n = 1; n < sends.length; n += 1) {
      expect((sends[n] ?? 0) - (sends[n - 1] ?? 0)).toBeGreaterThanOrEqual(1000)
    }
  })
})
