import { styleText } from 'node:util'
import type { OutputOf, Overview } from '@msgctl/client'
import { shownSeconds } from '../../input/duration.ts'
import { campaignBar, type DrawStyle, sparkline } from '../../output/bars.ts'
import { sanitizeLine } from '../../output/sanitize.ts'

type Hours = OutputOf<'messages.hours'>['hours']
type Campaign = NonNullable<Overview['campaigns']>[number]
type Color = 'green' | 'cyan' | 'blue' | 'red' | 'gray' | 'yellow' | 'bold' | 'dim'

const stateColors: Readonly<Record<Overview['numbers'][number]['status'], Color>> = {
  WORKING: 'green',
  STARTING: 'blue',
  SCAN_QR_CODE: 'yellow',
  STOPPED: 'gray',
  FAILED: 'red',
  UNREACHABLE: 'red',
}
const hourMs = 3_600_000
const hoursShown = 24
const barWidth = 30
/** Campaign messages of one number leave five seconds apart on average. */
const secondsPerMessage = 5

/** Returns the lines of one frame: figures, 24 hours, the numbers, and the campaigns under way. */
export function frameLines(overview: Overview, hours: Hours, style: DrawStyle): string[] {
  const paint = (color: Color, text: string) =>
    style.colours ? styleText(color, text, { validateStream: false }) : text
  const now = new Date(overview.at)
  const sent = byHour(hours, now, ({ sent, delivered, read }) => sent + delivered + read)
  const failed = byHour(hours, now, (hour) => hour.failed).reduce((sum, count) => sum + count, 0)
  const lines = [
    figures(overview, failed, paint),
    `${paint('dim', 'Sent, 24 hours')}  ${paint('green', sparkline(sent, style.glyphs))}  ${Math.max(...sent)} ` +
      'in the best hour',
    '',
    paint('dim', `${'NUMBER'.padEnd(20)} ${'STATE'.padEnd(13)} ${'WAITING'.padStart(7)}  NEXT`),
    ...overview.numbers.map((number) => numberLine(number, new Date(overview.at), paint)),
  ]
  const campaigns = overview.campaigns ?? []
  if (campaigns.length === 0) return lines
  const title =
    `${'CAMPAIGN'.padEnd(20)} ${'PROGRESS'.padEnd(barWidth + 5)} ${'READ'.padStart(5)} ` +
    `${'FAILED'.padStart(7)}  LEFT`
  return [...lines, '', paint('dim', title), ...campaigns.map((campaign) => campaignLine(campaign, style))]
}

type Paint = (color: Color, text: string) => string

function figures({ messages, unread, deliveries }: Overview, failed: number, paint: Paint): string {
  const dropped = deliveries?.dropped24h ?? 0
  return [
    paint('bold', `${messages.queued} waiting`),
    `${messages.sending} being sent`,
    `${failed === 0 ? 'none' : failed} failed in 24 h`,
    ...(unread === null ? [] : [`${unread} unread`]),
    ...(deliveries === null ? [] : [dropped > 0 ? paint('red', `${dropped} events dropped`) : 'no events dropped']),
  ].join('   ')
}

/** Returns the sum of `count` for each of the hours that are shown. */
function byHour(hours: Hours, now: Date, count: (hour: Hours[number]) => number): number[] {
  const first = Math.floor(now.getTime() / hourMs) - hoursShown + 1
  const counts = Array.from({ length: hoursShown }, () => 0)
  for (const hour of hours) {
    const at = new Date(hour.hour).getTime() / hourMs - first
    if (at >= 0 && at < hoursShown) counts[at] = (counts[at] ?? 0) + count(hour)
  }
  return counts
}

/** Returns a text in exactly `width` characters. */
function fitted(text: string, width: number): string {
  const clean = sanitizeLine(text)
  return clean.length > width ? `${clean.slice(0, width - 1)}~` : clean.padEnd(width)
}

function numberLine(number: Overview['numbers'][number], now: Date, paint: Paint): string {
  const { high, normal, campaign } = number.waiting
  const waiting = high + normal + campaign
  const isRestricted = number.status === 'WORKING' && number.restrictedUntil !== null
  const state = isRestricted
    ? paint('yellow', fitted('RESTRICTED', 13))
    : paint(stateColors[number.status], fitted(number.status, 13))
  return `${fitted(number.label, 20)} ${state} ${String(waiting).padStart(7)}  ${next(number, waiting, now)}`
}

function next(number: Overview['numbers'][number], waiting: number, now: Date): string {
  const { status, queueHeld, nextAt, restrictedUntil } = number
  if (status === 'WORKING' && restrictedUntil !== null)
    return `restricted for ${shownSeconds(Math.ceil((new Date(restrictedUntil).getTime() - now.getTime()) / 1000))}`
  if (waiting === 0) return '-'
  if (status !== 'WORKING') return 'waits for the number'
  if (queueHeld) return 'waits for a release'
  if (nextAt === null) return '-'
  const seconds = Math.round((new Date(nextAt).getTime() - now.getTime()) / 1000)
  return seconds <= 0 ? 'now' : `in ${shownSeconds(seconds)}`
}

function campaignLine({ name, status, stats }: Campaign, style: DrawStyle): string {
  const { total, sent, read, failed } = stats
  const left = Math.max(0, total - sent - failed)
  const bar = campaignBar(stats, barWidth, style)
  const share = (count: number, of: number) => `${of === 0 ? 0 : Math.round((100 * count) / of)} %`
  const time = status === 'sending' ? shownSeconds(left * secondsPerMessage) : status
  const done = share(sent + failed, total).padStart(5)
  return `${fitted(name, 20)} ${bar}${done} ${share(read, sent).padStart(5)} ${String(failed).padStart(7)}  ${time}`
}
