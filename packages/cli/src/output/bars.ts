import { styleText } from 'node:util'
import { type Host, supportsColour } from '../host.ts'

/** The characters that a terminal can show: blocks, or ASCII with --ascii and TERM=dumb. */
export interface Glyphs {
  /** From nothing to the highest. */
  readonly levels: string
  readonly parts: Readonly<Record<BarPart, string>>
}

/** The parts of a campaign's bar, in their order. */
const barParts = ['read', 'delivered', 'sent', 'failed', 'left'] as const
type BarPart = (typeof barParts)[number]

export const blocks: Glyphs = {
  levels: ' ▁▂▃▄▅▆▇█',
  parts: { read: '█', delivered: '▓', sent: '▒', failed: '×', left: '░' },
}
export const ascii: Glyphs = {
  levels: ' .:-=+*#',
  parts: { read: '#', delivered: '+', sent: '-', failed: 'x', left: '.' },
}

/** How a drawing looks. */
export interface DrawStyle {
  readonly glyphs: Glyphs
  readonly colours: boolean
}

/** Returns the style that fits the terminal: ASCII with TERM=dumb or on request, no colours with NO_COLOR. */
export function drawStyle(host: Host, isAscii = false): DrawStyle {
  const plain = isAscii || host.env.TERM === 'dumb'
  return { glyphs: plain ? ascii : blocks, colours: supportsColour(host, host.stdout) }
}

/** The counts of a campaign. Delivered messages count as sent, and read ones as delivered. */
export interface CampaignCounts {
  readonly total: number
  readonly sent: number
  readonly delivered: number
  readonly read: number
  readonly failed: number
}

const partColors = { read: 'green', delivered: 'cyan', sent: 'blue', failed: 'red', left: 'gray' } as const

/** Returns how many recipients of a campaign each part of its bar stands for. */
function partCounts({ total, sent, delivered, read, failed }: CampaignCounts): Readonly<Record<BarPart, number>> {
  return {
    read,
    delivered: delivered - read,
    sent: sent - delivered,
    failed,
    left: Math.max(0, total - sent - failed),
  }
}

/** Returns the progress of a campaign as a bar of exactly `width` characters. */
export function campaignBar(counts: CampaignCounts, width: number, { glyphs, colours }: DrawStyle): string {
  const parts = partCounts(counts)
  const cells = shareCells(
    barParts.map((part) => parts[part]),
    width,
  )
  return barParts
    .map((part, at) => {
      const text = glyphs.parts[part].repeat(cells[at] ?? 0)
      return colours && text !== '' ? styleText(partColors[part], text, { validateStream: false }) : text
    })
    .join('')
}

/** Returns what the parts of a campaign's bar mean, those that are there. */
export function campaignLegend(counts: CampaignCounts, { glyphs }: DrawStyle): string {
  const parts = partCounts(counts)
  return barParts
    .filter((part) => parts[part] > 0)
    .map((part) => `${glyphs.parts[part]} ${part} ${parts[part]}`)
    .join('   ')
}

/** Returns values as a line of levels; what is above 0 has at least the lowest. */
export function sparkline(values: readonly number[], { levels }: Glyphs): string {
  const highest = levels.length - 1
  const most = Math.max(1, ...values)
  return values.map((value) => levels[value === 0 ? 0 : Math.max(1, Math.round((value / most) * highest))]).join('')
}

/**
 * Returns how many of `width` cells each value gets, by largest remainder. The cells are always `width` together, and
 * what is above 0 gets one as long as there are enough.
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
