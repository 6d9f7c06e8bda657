import { limits } from '@msgctl/contract/limits'
import type { Context } from '../../context.ts'
import type { Column } from '../../output/columns.ts'
import { verb } from '../../program.ts'
import { openPage, type WebOption, webOption } from '../open/open-page.ts'
import { stateColumns } from './columns.ts'
import { dayStrip } from './day-strip.ts'
import { optionalContainerId } from './reference.ts'
import { readState } from './state-record.ts'

function usage(value: unknown): string {
  const { used, allowed } = value as { readonly used: number; readonly allowed: number | null }
  return allowed === null ? `${used}, no limit` : `${used} of ${allowed}`
}

/** The limits that protect the number, where they hold. */
const guardColumns: readonly Column[] = [
  { field: 'guard.daysLinked', title: 'Days linked' },
  { field: 'guard.newConversations', title: 'New conversations', show: usage },
  { field: 'guard.lastHour', title: 'Messages in an hour', show: usage },
  { field: 'guard.lastDay', title: 'Messages in a day', show: usage },
  { field: 'guard.blockedUntil', title: 'No new conversations until' },
  { field: 'guard.campaignsStopped', title: 'Campaigns stopped' },
  { field: 'guard.held', title: 'Held messages' },
]

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
