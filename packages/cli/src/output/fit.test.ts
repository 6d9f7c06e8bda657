import { describe, expect, it } from 'vitest'
import { fitColumns, fitLine } from './fit.ts'

const column = (cells: readonly string[], kind: { long?: true; spare?: true } = {}) => ({
  cells,
  long: kind.long === true,
  spare: kind.spare === true,
})
const id = (n: number) => `01a20237-3be1-729c-a1fd-02b68d32f5${String(n).padStart(2, '0')}`
const total = (widths: readonly number[]) => widths.reduce((sum, width) => sum + width + 2, -2)

describe('a table on a terminal', () => {
  it('keeps everything when it fits', () => {
    const { widths, cells } = fitColumns([column(['ID', id(1)]), column(['TEXT', 'hello'], { long: true })], 80)
    expect([widths, cells[0]]).toEqual([
      [36, 5],
      ['ID', id(1)],
    ])
  })

  it('shortens ids to a length at which they differ, and then long text', () => {
    const all = [column(['ID', id(1), id(2), '-']), column(['TEXT', 'x'.repeat(100), '-', '-'], { long: true })]
    const { widths, cells } = fitColumns(all, 60)
    expect(cells[0]).toEqual(['ID', id(1), id(2), '-'])
    expect(total(widths)).toBe(60)
    const other = id(1).replace('01a20237-3be1', '01a20238-0000')
    expect(fitColumns([column(['ID', id(1), other]), all[1] as never], 60).cells[0]).toEqual([
      'ID',
      '01a20237-3be1',
      '01a20238-0000',
    ])
  })

  it('leaves out columns without a value, then spare ones, from the right', () => {
    const wide = (title: string, kind = {}) => column([title, 'x'.repeat(20)], kind)
    const all = [wide('A'), column(['B', '-']), wide('C', { spare: true }), wide('D'), wide('E', { spare: true })]
    expect(fitColumns(all, 88).kept).toEqual([0, 2, 3, 4])
    expect(fitColumns(all, 70).kept).toEqual([0, 2, 3])
    expect(fitColumns(all, 50).kept).toEqual([0, 3])
  })

  it('fits any width down to four characters a column, and counts wide characters twice', () => {
    const all = [column(['A', '日本語日本語']), column(['B', 'x'.repeat(30)])]
    expect(fitColumns(all, 100).widths).toEqual([12, 30])
    expect(total(fitColumns(all, 20).widths)).toBe(20)
    expect(fitColumns(all, 1).widths).toEqual([4, 4])
  })
})

describe('a line of a list without end on a terminal', () => {
  const line = (body: string) => `2026-11-27 09:00:00  message.sent  +12025550121${body}  ${id(1)}`

  it('keeps everything when it fits', () => {
    expect(fitLine(line(''), 100)).toBe(line(''))
  })

  it('shortens ids as tables do, then breaks between words', () => {
    expect(fitLine(line(''), 80)).toBe('2026-11-27 09:00:00  message.sent  +12025550121  01a20237-3be1')
    const long = fitLine(line(`  ${'日本 word '.repeat(12)}`), 80).split('\n')
    expect(long.length).toBeGreaterThan(1)
    for (const part of long) expect(part).toMatch(/^(2026|日本|word).{0,79}$/)
    expect(long.at(-1)).toMatch(/01a20237-3be1$/)
  })
})
