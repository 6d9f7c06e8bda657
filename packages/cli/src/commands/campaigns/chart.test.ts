import { describe, expect, it } from 'vitest'
import { ascii } from '../../output/bars.ts'
import { chartLines } from './list.ts'

const style = { glyphs: ascii, colours: true }
const minute = (at: string, sent: number, failed = 0) => ({ at: `2026-11-03T09:${at}:00.000Z`, sent, failed })

describe('the drawing of a campaign', () => {
  it('has its progress, the parts that are there, and each minute with the quiet ones', () => {
    const counts = { total: 60, sent: 30, delivered: 20, read: 10, failed: 0 }
    expect(chartLines(counts, [minute('30', 8), minute('31', 1, 1), minute('33', 20)], style)).toEqual([
      '##########++++++++++----------..............................',
      '# read 10   + delivered 10   - sent 10   . left 30',
      '',
      '-. #  at most 20 in a minute',
    ])
  })

  it('shows the last 60 minutes of a long one', () => {
    const long = Array.from({ length: 120 }, (_, at) => ({
      at: new Date(at * 60_000).toISOString(),
      sent: at < 60 ? 9 : 1,
      failed: 0,
    }))
    const lines = chartLines({ total: 600, sent: 600, delivered: 0, read: 0, failed: 0 }, long, style)
    expect(lines.at(-1)).toBe(`${'#'.repeat(60)}  at most 1 in a minute`)
  })

  it('has no minutes before the first message', () => {
    expect(chartLines({ total: 2, sent: 0, delivered: 0, read: 0, failed: 0 }, [], style)).toEqual([
      '.'.repeat(60),
      '. left 2',
    ])
  })
})
