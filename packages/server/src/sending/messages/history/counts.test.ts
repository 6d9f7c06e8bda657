import { describe, expect, it } from 'vitest'
import { countMatching, type TypeCounts, toStats } from './counts.ts'

const alert: TypeCounts = { type: 'alert', queued: 1, sending: 2, sent: 4, delivered: 8, read: 16, failed: 32 }
const otp: TypeCounts = { type: 'otp', queued: 0, sending: 0, sent: 100, delivered: 0, read: 0, failed: 0 }

describe('counts', () => {
  it.each([
    [null, null, 163],
    ['alert', null, 63],
    ['otp', null, 100],
    ['bulk', null, 0],
    [null, 'sent', 104],
    ['alert', 'failed', 32],
    ['bulk', 'failed', 0],
  ] as const)('of type %s and status %s are %i', (type, status, expected) => {
    expect(countMatching([alert, otp], { type, status })).toBe(expected)
  })

  it('become the record of GET /stats: sent is what reached the network, delivered also what was read', () => {
    expect(
      toStats([alert, otp], { last24h: 5, last7d: 6 }, [
        { rule: 'day', count: 2 },
        { rule: 'hour', count: 1 },
      ]),
    ).toEqual({
      totalMessages: 163,
      sent: 128,
      delivered: 24,
      failed: 32,
      alerts: 63,
      bulk: 0,
      otp: 100,
      last24h: 5,
      last7d: 6,
      held: { total: 3, rules: { day: 2, hour: 1 } },
    })
  })

  it('of an organization without messages are all 0', () => {
    const { held, ...counts } = toStats([], { last24h: 0, last7d: 0 }, [])
    expect(Object.values(counts).every((count) => count === 0)).toBe(true)
    expect(held).toEqual({ total: 0, rules: {} })
  })
})
