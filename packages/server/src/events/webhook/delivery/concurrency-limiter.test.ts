import { describe, expect, it } from 'vitest'
import { concurrencyLimiter } from './concurrency-limiter.ts'

const bounds = { fast: 4, slow: 2, perEndpoint: 8 }

/** Takes `count` slots for an endpoint and gives them back with this answer time. */
function pass(
  limit: ReturnType<typeof concurrencyLimiter>,
  endpointId: string,
  answeredInMs: number | null,
  count = 1,
) {
  for (let turn = 0; turn < count; turn++) limit.take(endpointId)(answeredInMs)
}

describe('sharing out the attempts of one process', () => {
  it('offers a newcomer two', () => {
    expect(concurrencyLimiter(bounds).claimQuotas()).toEqual([
      { limit: 4, fromSlow: false, slow: [], quotas: {}, initialQuota: 2 },
    ])
  })

  it('gives an endpoint more as its receiver responds quickly, up to its bound', () => {
    const limit = concurrencyLimiter(bounds)
    const rooms = [1, 1, 1].map((count) => {
      pass(limit, 'a', 20, count)
      return limit.claimQuotas()[0]?.quotas.a
    })
    expect(rooms).toEqual([4, 8, 8])
  })

  it.each([
    [0, 40],
    [30, 24],
    [60, 8],
    [900, 8],
  ])(
    'claims ahead what a receiver that responds in %s ms takes in about a tenth of a second: %s in all',
    (ms, quotas) => {
      const limit = concurrencyLimiter({ ...bounds, fast: 100, prefetch: 5 })
      pass(limit, 'a', ms, 2)
      expect(limit.claimQuotas()[0]?.quotas.a).toBe(quotas)
    },
  )

  it('claims nothing ahead of a newcomer', () => {
    const limit = concurrencyLimiter({ ...bounds, fast: 100, prefetch: 5 })
    limit.take('a')
    expect(limit.claimQuotas()[0]?.quotas.a).toBe(1)
  })

  it('moves an endpoint to the slow part as soon as it is found silent, before its attempt ends', () => {
    const limit = concurrencyLimiter(bounds)
    const giveBack = limit.take('silent')
    limit.slowDown('silent')
    expect(limit.claimQuotas()).toMatchObject([
      { fromSlow: false, limit: 3 },
      { fromSlow: true, limit: 2, quotas: { silent: 0 } },
    ])
    expect(limit.isSlow('silent')).toBe(true)
    giveBack(50)
    expect(limit.isSlow('silent')).toBe(false)
  })

  it('counts what is under way', () => {
    const limit = concurrencyLimiter(bounds)
    limit.take('a')
    expect(limit.claimQuotas()).toMatchObject([{ limit: 3, quotas: { a: 1 } }])
    expect(limit.held()).toBe(1)
  })

  it.each([
    ['silent', null],
    ['slow', 2001],
  ])('moves an endpoint with a %s receiver to the slow part, one at a time', (_what, answeredInMs) => {
    const limit = concurrencyLimiter(bounds)
    pass(limit, 'dead', answeredInMs)
    expect(limit.claimQuotas()).toMatchObject([
      { fromSlow: false, slow: ['dead'] },
      { fromSlow: true, slow: ['dead'], limit: 2, quotas: { dead: 1 } },
    ])
  })

  it('keeps slow endpoints, however many, out of the other part', () => {
    const limit = concurrencyLimiter(bounds)
    for (const dead of ['x', 'y', 'z']) pass(limit, dead, null)
    limit.take('x')
    limit.take('y')
    expect(limit.claimQuotas()).toMatchObject([{ fromSlow: false, limit: 4 }])
  })

  it('takes an endpoint back among the others once it responds in time', () => {
    const limit = concurrencyLimiter(bounds)
    pass(limit, 'a', null)
    pass(limit, 'a', 50)
    expect(limit.claimQuotas()).toMatchObject([{ fromSlow: false, slow: [], quotas: { a: 2 } }])
  })

  it('says once that a slot is free again, after a claim that found none', () => {
    const limit = concurrencyLimiter(bounds)
    const [first, second] = [limit.take('a'), limit.take('a')]
    expect(limit.claimQuotas()[0]?.quotas.a).toBe(0)
    expect([second(20), first(20)]).toEqual([true, false])
  })

  it('says nothing of a slot that no claim has missed', () => {
    const limit = concurrencyLimiter(bounds)
    const [first, second] = [limit.take('a'), limit.take('a')]
    expect([second(20), first(20)]).toEqual([false, false])
  })

  it('claims ahead by halves, and says when the next half can be claimed', () => {
    const limit = concurrencyLimiter({ ...bounds, fast: 100, prefetch: 5 })
    pass(limit, 'a', 0, 2)
    const held = Array.from({ length: 40 }, () => limit.take('a'))
    const quota = () => limit.claimQuotas()[0]?.quotas.a
    expect(quota()).toBe(0)
    expect(held.splice(0, 19).map((release) => release(0))).not.toContain(true)
    expect(quota()).toBe(0)
    expect(held.splice(0, 2).map((release) => release(0))).toEqual([true, false])
    expect(quota()).toBe(21)
  })

  it('claims for the fast part once an eighth of its slots is free, and says when that is so', () => {
    const limit = concurrencyLimiter({ ...bounds, fast: 16, perEndpoint: 100 })
    const held = Array.from({ length: 15 }, (_, n) => limit.take(`endpoint ${n}`))
    expect(limit.claimQuotas()).toEqual([])
    expect(held.splice(0, 2).map((release) => release(20))).toEqual([true, false])
    expect(limit.claimQuotas()).toMatchObject([{ fromSlow: false, limit: 3 }])
  })

  it('does not remember every endpoint for ever', () => {
    const limit = concurrencyLimiter(bounds)
    const busy = limit.take('busy')
    for (let other = 0; other < 2000; other++) pass(limit, `other ${other}`, 20)
    expect(Object.keys(limit.claimQuotas()[0]?.quotas ?? {})).toHaveLength(1000)
    expect(limit.claimQuotas()[0]?.quotas.busy).toBe(1)
    busy(20)
  })
})
