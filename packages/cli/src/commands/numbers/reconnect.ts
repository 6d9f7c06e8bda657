import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { addVerb, type Run } from '../../program.ts'
import { movedColumns } from './columns.ts'
import { optionalContainerId } from './reference.ts'

async function reconnect(context: Context, number: string | undefined): Promise<void> {
  const client = await context.client()
  await context.print.record(await client.numbers.reconnect(await optionalContainerId(client, number)), movedColumns)
}

/** Adds `numbers reconnect`. */
export function registerReconnect(numbers: Command, run: Run): void {
  addVerb(
    numbers,
    'reconnect [number]',
    'restart the connection of a number; it stays linked',
    'msgctl numbers reconnect support',
  ).action(run(reconnect))
}
