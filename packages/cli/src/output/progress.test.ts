import { describe, expect, it } from 'vitest'
import { progressText, Rate } from './progress.ts'

describe('a line of progress', () => {
  const half = { done: 5000, failed: 12, total: 10_000 }

  it.each([
    ['80 columns', half, 6.02, 79],
    ['20 columns', half, 6.02, 19],
    ['80 columns with nothing to say', { done: 0, failed: 0, total: 3 }, undefined, 79],
  ])('fills at most the room of %s with its bar', (_what, progress, rate, columns) => {
    const text = progressText('sending', progress, rate, columns)
    const plain = progressText('sending', progress, rate, undefined)
    expect(text.length).toBeLessThanOrEqual(Math.max(columns, plain.length))
    expect(text.replace(/ \[[#.]+\]/, '')).toBe(plain)
  })

  it('shows the rate, the remaining time and the failures', () => {
    expect(progressText('sending', half, 6.02, undefined)).toBe(
      'sending  50 %  5000 of 10000, 6.0 a minute, 13 h 51 min left, 12 failed',
    )
  })

  it('is whole when there is nothing to do', () => {
    expect(progressText('completed', { done: 0, failed: 0, total: 0 }, undefined, undefined)).toBe(
      'completed 100 %  0 of 0',
    )
  })

  it('never says 100 % before the last one is done', () => {
    expect(progressText('sending', { done: 9999, failed: 0, total: 10_000 }, undefined, undefined)).toContain(' 99 %')
  })
})

describe('the rate', () => {
  it('is that of the last minute, however slow it was before', () => {
    const rate = new Rate()
    for (let second = 0; second <= 600; second += 2) {
      rate.add({ atMs: second * 1000, done: second <= 300 ? second : 300 + (second - 300) * 3 })
    }
    expect(rate.perMinute()).toBeCloseTo(180)
  })

  it('is known of a source that moves less than once a minute', () => {
    const rate = new Rate()
    for (let minute = 0; minute <= 20; minute += 2) rate.add({ atMs: minute * 60_000, done: minute })
    expect(rate.perMinute()).toBeCloseTo(1)
  })

  it('is unknown at first, after a stop, and while nothing moves', () => {
    const rate = new Rate()
    rate.add({ atMs: 0, done: 5 })
    expect(rate.perMinute()).toBeUndefined()
    rate.add({ atMs: 2000, done: 5 })
    expect(rate.perMinute()).toBeUndefined()
    rate.add({ atMs: 4000, done: 9 })
    expect(rate.perMinute()).toBeCloseTo(60)
    rate.restart()
    expect(rate.perMinute()).toBeUndefined()
  })
})
