import { describe, expect, it } from 'vitest'
import { dayStrip } from './status.ts'

const now = Date.parse('2026-11-03T12:00:00.000Z')
const change = (hoursAgo: number, to: Parameters<typeof dayStrip>[0][number]['to']) => ({
  at: new Date(now - hoursAgo * 3_600_000).toISOString(),
  to,
})

describe('the strip of a number', () => {
  it('has one character for each half hour, and what they mean', () => {
    const changes = [change(6, 'WORKING'), change(12, 'SCAN_QR_CODE'), change(48, 'WORKING')]
    expect(dayStrip(changes, now, true)).toBe(
      `24 h ago ${'#'.repeat(24)}${'?'.repeat(12)}${'#'.repeat(12)} now\n# working   ? needs linking`,
    )
  })

  it('shows the worst of a half hour, so that a short failure is seen', () => {
    const changes = [change(3.1, 'WORKING'), change(3.2, 'UNREACHABLE'), change(30, 'WORKING')]
    expect(dayStrip(changes, now, true)).toBe(`24 h ago ${'#'.repeat(41)}x${'#'.repeat(6)} now\n# working   x failed`)
  })

  it('is empty before the number existed, and without any change', () => {
    expect(dayStrip([change(1, 'WORKING')], now, false)).toBe(`24 h ago ${' '.repeat(46)}██ now\n█ working`)
    expect(dayStrip([], now, true)).toBe(`24 h ago ${' '.repeat(48)} now`)
  })
})
