import type { OutputOf } from '@msgctl/client'
import type { Context } from '../../context.ts'
import { type Column, defineColumns } from '../../output/columns.ts'
import { verb } from '../../program.ts'
import { requireAccountCredential } from './limits.ts'

type Usage = OutputOf<'account.usage'>

function ofLimit(value: unknown): string {
  const { open, used = open, limit } = value as { open?: number; used?: number; limit: number | null }
  return limit === null ? `${used}, no limit` : `${used} of ${limit}`
}

function changesLeft(value: unknown): string {
  const changes = value as Usage['changes']
  return changes === null ? 'no limit' : `${changes.remaining} of ${changes.limitPerMinute} a minute`
}

const columns: readonly Column[] = [
  { field: 'changes', title: 'Changes left', show: changesLeft },
  { field: 'numbers', title: 'Numbers', show: ofLimit },
  { field: 'streams.events', title: 'Event streams', show: ofLimit },
  { field: 'streams.overview', title: 'Open consoles', show: ofLimit },
  { field: 'recipientChecks.known', title: 'Recipients checked' },
]

const trialColumns: readonly Column[] = [
  { field: 'trial', title: 'Trial messages today', show: ofLimit },
  { field: 'trial.endsAt', title: 'Trial ends' },
]

const orNone = (value: unknown) => (value === null ? 'no limit' : String(value))

const checkColumns = defineColumns('containerId as Number, minuteLeft as Checks left now, minuteLimit as Of a minute', {
  field: 'dayLeft',
  title: 'Left of a day',
  show: orNone,
})

async function usage(context: Context): Promise<void> {
  requireAccountCredential(context)
  const client = await context.client()
  const { success: _always, ...used } = await client.account.usage({}, { signal: context.host.signal })
  const { print, options } = context
  await print.record(used, used.trial === null ? columns : [...columns, ...trialColumns])
  if (print.format !== 'table' || options.fields !== undefined || used.recipientChecks.numbers.length === 0) return
  await print.text('\n')
  await print.list(used.recipientChecks.numbers, checkColumns)
}

/** `account usage`. */
export const usageVerb = verb('usage', 'show what is used of what has a limit', usage, [
  'msgctl account usage',
  'msgctl account usage --json --fields changes,streams',
])
