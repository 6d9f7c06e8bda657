import { type CampaignCounts, campaignBar, campaignLegend, type DrawStyle, sparkline } from '../../output/bars.ts'

const width = 60
const minuteMs = 60_000

/** The messages of a campaign that were sent or failed in one minute. */
export interface Minute {
  readonly at: string
  readonly sent: number
  readonly failed: number
}

/** Returns the messages of each of the last minutes up to the last one in which something was sent, oldest first. */
function lastMinutes(minutes: readonly Minute[]): number[] {
  const byMinute = new Map(minutes.map(({ at, sent, failed }) => [Date.parse(at) / minuteMs, sent + failed]))
  const [first = 0, last = 0] = [Math.min(...byMinute.keys()), Math.max(...byMinute.keys())]
  const count = Math.min(width, last - first + 1)
  return Array.from({ length: count }, (_, index) => byMinute.get(last - count + 1 + index) ?? 0)
}

/** Returns the lines that draw a campaign: its progress, what the parts of it mean, and what left in each minute. */
export function chartLines(counts: CampaignCounts, minutes: readonly Minute[], style: DrawStyle): string[] {
  const plain = { ...style, colours: false }
  const lines = [campaignBar(counts, width, plain), campaignLegend(counts, plain)]
  if (minutes.length === 0) return lines
  const perMinute = lastMinutes(minutes)
  return [...lines, '', `${sparkline(perMinute, plain.glyphs)}  at most ${Math.max(...perMinute)} in a minute`]
}
