import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { addVerb, type Run } from '../../program.ts'
import { stateColumns } from './columns.ts'
import { optionalContainerId } from './reference.ts'

async function status(context: Context, number: string | undefined): Promise<void> {
  const client = await context.client()
  await context.print.record(await client.numbers.status(await optionalContainerId(client, number)), stateColumns)
}

/** Adds `numbers status`. */
export function registerStatus(numbers: Command, run: Run): void {
  addVerb(
    numbers,
    'status [number]',
    'show the connection status of a number and what to do',
    'msgctl numbers status',
    'msgctl numbers status support --json --fields status,action',
  ).action(run(status))
}
