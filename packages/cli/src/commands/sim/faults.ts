import type { Context } from '../../context.ts'
import { usageFailure } from '../../errors/exit-codes.ts'
import { wholeFrom } from '../../input/duration.ts'
import { parseFields } from '../../input/form-fields.ts'
import type { Column } from '../../output/columns.ts'
import { subNoun, verb } from '../../program.ts'
import { controlSimulator } from './control.ts'

const faultColumns: readonly Column[] = [{ field: 'faults', title: 'Faults' }]

async function setFaults(context: Context, pairs: readonly string[], { latency }: { readonly latency?: string }) {
  const faults = parseFields([], pairs)
  const latencyMs = latency === undefined ? {} : { latencyMs: wholeFrom(latency, '--latency', 0, 600_000) }
  if (Object.keys({ ...faults, ...latencyMs }).length === 0)
    throw usageFailure('Pass at least one fault, such as send.rejected=0.1.')
  await context.print.record(
    await controlSimulator(context, 'PUT', '/faults', { ...faults, ...latencyMs }),
    faultColumns,
  )
}

async function clearFaults(context: Context): Promise<void> {
  await context.print.record(await controlSimulator(context, 'DELETE', '/faults'), faultColumns)
}

/** The verbs of `sim faults`. */
export const faultsVerbs = subNoun(
  'faults',
  'make the simulated network fail at random',
  verb(
    'set [faults...]',
    'set the probability of each fault, from 0 to 1',
    setFaults,
    ['msgctl sim faults set send.timeout_not_sent=0.05', 'msgctl sim faults set check.unreachable=0.5 --latency 300'],
    (command) => command.option('--latency <ms>', 'delay of each response, in milliseconds'),
  ),
  verb('clear', 'remove all faults', clearFaults, ['msgctl sim faults clear']),
)
