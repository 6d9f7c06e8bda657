/** The characters that a terminal can show: blocks, or ASCII with --ascii and TERM=dumb. */
export interface Glyphs {
  /** From nothing to the highest. */
  readonly levels: string
  readonly parts: Readonly<Record<BarPart, string>>
}

/** The parts of a campaign's bar, in their order. */
export const barParts = ['read', 'delivered', 'sent', 'failed', 'left'] as const
type BarPart = (typeof barParts)[number]

export const blocks: Glyphs = {
  levels: ' ▁▂▃▄▅▆▇█',
  parts: { read: '█', delivered: '▓', sent: '▒', failed: '×', left: '░' },
}
export const ascii: Glyphs = {
  levels: ' .:-=+*#',
  parts: { read: '#', delivered: '+', sent: '-', failed: 'x', left: '.' },
}

/** Returns values as a line of levels; what is above 0 has at least the lowest. */
export function sparkline(values: readonly number[], { levels }: Glyphs): string {
  const highest = levels.length - 1
  const most = Math.max(1, ...values)
  return values.map((value) => levels[value === 0 ? 0 : Math.max(1, Math.round((value / most) * highest))]).join('')
}

/**
 * Returns how many of `width` cells each value gets, by largest remainder. The cells are always `width` together, and what
 * is above 0 gets one as long as there are enough.
 */
export function shareCells(values: readonly number[], width: number): number[] {
  const total = values.reduce((sum, value) => sum + value, 0)
  if (total === 0) return values.map((_value, at) => (at === values.length - 1 ? width : 0))
  const exact = values.map((value) => (value / total) * width)
  const cells = exact.map((share, at) => ((values[at] ?? 0) > 0 ? Math.max(1, Math.floor(share)) : 0))
  const given = () => cells.reduce((sum, count) => sum + count, 0)
  const byRemainder = exact.map((share, at) => ({ at, remainder: share % 1 })).sort((a, b) => b.remainder - a.remainder)
  for (const { at } of byRemainder) if (given() < width && (values[at] ?? 0) > 0) cells[at] = (cells[at] ?? 0) + 1
  // Parts that were rounded up to one cell take it from the widest.
  while (given() > width) {
    const widest = cells.indexOf(Math.max(...cells))
    cells[widest] = (cells[widest] ?? 0) - 1
  }
  return cells
}
