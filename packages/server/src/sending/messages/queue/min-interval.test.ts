import { describe, expect, it } from 'vitest'
import { minInterval } from './pace.ts'

const at = (ms: number) => new Date(1_000_000 + ms)

describe('laneSpacing', () => {
  it('does not delay texts that are on time', () => {
    const spacing = minInterval(1000)
    for (const ms of [0, 1000, 2000, 5000]) expect(spacing.reserve('a', at(ms))).toEqual(at(ms))
  })

  it('puts the time between texts that come together after a standstill', () => {
    const spacing = minInterval(1000)
    expect([9000, 9001, 9002].map((ms) => spacing.reserve('a', at(ms)))).toEqual([at(9000), at(10_000), at(11_000)])
  })

  it('knows each number for itself, also when it knew very many', () => {
    const spacing = minInterval(1000)
    for (let n = 0; n < 10_001; n += 1) spacing.reserve(`number ${n}`, at(0))
    expect(spacing.reserve('number 7', at(500))).toEqual(at(1000))
    expect(spacing.reserve('another', at(1000))).toEqual(at(1000))
    expect(spacing.reserve('number 7', at(1500))).toEqual(at(2000))
  })

  it('lets everything go at once without pace', () => {
    const spacing = minInterval(0)
    expect([spacing.reserve('a', at(0)), spacing.reserve('a', at(0))]).toEqual([at(0), at(0)])
  })
})
