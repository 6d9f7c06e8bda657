import type { NumberStatus } from '@msgctl/contract/states'

/** A change of the status of a number. */
export interface StatusChange {
  readonly at: string
  readonly to: NumberStatus
}

const dayMs = 86_400_000
const cells = 48

/** What stands for each status: blocks, and ASCII with TERM=dumb. The lower the block, the less the number can do. */
const marks: Readonly<Record<NumberStatus, readonly [block: string, ascii: string, word: string]>> = {
  WORKING: ['█', '#', 'working'],
  STARTING: ['▄', '+', 'starting'],
  SCAN_QR_CODE: ['▂', '?', 'needs linking'],
  STOPPED: ['▁', '_', 'stopped'],
  FAILED: ['×', 'x', 'failed'],
  UNREACHABLE: ['×', 'x', 'failed'],
}
const unknown = [' ', ' '] as const

/**
 * Draws the status of the last 24 hours, one character for 30 minutes, oldest first, with what the characters mean. A
 * character shows the worst status of its half hour. `changes` are newest first, as the service lists them.
 */
export function dayStrip(changes: readonly StatusChange[], nowMs: number, isAscii: boolean): string {
  const step = dayMs / cells
  const glyph = isAscii ? 1 : 0
  const seen = new Set<NumberStatus>()
  const strip = Array.from({ length: cells }, (_, index) => {
    const from = nowMs - dayMs + index * step
    const worst = worstOf(statusesWithin(changes, from, from + step))
    if (worst === undefined) return unknown[glyph]
    seen.add(worst)
    return marks[worst][glyph]
  }).join('')
  const legend = [...new Set(order.filter((status) => seen.has(status)).map((status) => markWord(status, glyph)))]
  return [`24 h ago ${strip} now`, legend.join('   ')].filter(Boolean).join('\n')
}

/** From the best to the worst. */
const order: readonly NumberStatus[] = ['WORKING', 'STARTING', 'STOPPED', 'SCAN_QR_CODE', 'FAILED', 'UNREACHABLE']

function markWord(status: NumberStatus, glyph: 0 | 1): string {
  return `${marks[status][glyph]} ${marks[status][2]}`
}

function worstOf(statuses: readonly NumberStatus[]): NumberStatus | undefined {
  return order.findLast((status) => statuses.includes(status))
}

/** Returns the statuses that a number had in a span of time. */
function statusesWithin(changes: readonly StatusChange[], from: number, to: number): NumberStatus[] {
  const within = changes.filter(({ at }) => Date.parse(at) < to)
  const before = within.findIndex(({ at }) => Date.parse(at) <= from)
  return (before === -1 ? within : within.slice(0, before + 1)).map((change) => change.to)
}
