import { limits } from '@msgctl/contract/limits'
import type { NumberStatus } from '@msgctl/contract/states'
import type { Context } from '../../context.ts'
import { defineColumns } from '../../output/columns.ts'
import { verb } from '../../program.ts'
import { openPage, type WebOption, webOption } from '../open/open-page.ts'
import { stateColumns } from './columns.ts'
import { optionalContainerId } from './reference.ts'
import { readState } from './state-record.ts'

/** A change of the status of a number. */
interface StatusChange {
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

function usage(value: unknown): string {
  const { used, allowed } = value as { readonly used: number; readonly allowed: number | null }
  return allowed === null ? `${used}, no limit` : `${used} of ${allowed}`
}

/** The limits that protect the number, where they hold. */
const guardColumns = defineColumns(
  'guard.daysLinked',
  { field: 'guard.newConversations', title: 'New conversations', show: usage },
  { field: 'guard.lastHour', title: 'Messages in an hour', show: usage },
  { field: 'guard.lastDay', title: 'Messages in a day', show: usage },
  'guard.blockedUntil as No new conversations until, guard.campaignsStopped, guard.held as Held messages',
)

async function status(context: Context, number: string | undefined, { web }: WebOption): Promise<void> {
  const client = await context.client()
  const state = await readState(context, client, await optionalContainerId(client, number))
  const { containerId } = state
  if (web) return openPage(context, `numbers/${containerId}`)
  const { print, host, options } = context
  await print.record(state, state.guard ? [...stateColumns, ...guardColumns] : stateColumns)
  if (print.format !== 'table' || options.fields !== undefined) return
  const { history } = await client.numbers.history({ containerId, limit: limits.page.max }, { signal: host.signal })
  await print.text(`\n${dayStrip(history, host.now(), host.env.TERM === 'dumb')}\n`)
}

/** `numbers status`. */
export const statusVerb = verb(
  'status [number]',
  'show the connection status of a number and what to do',
  status,
  [
    'msgctl numbers status',
    'msgctl numbers status support --json --fields status,action',
    'msgctl numbers status support --web',
  ],
  (command) => command.option(...webOption),
)
