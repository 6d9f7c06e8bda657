import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { addVerb, type Run } from '../../program.ts'
import { movedColumns } from './columns.ts'
import { optionalContainerId } from './reference.ts'

async function start(context: Context, number: string | undefined): Promise<void> {
  const client = await context.client()
  await context.print.record(await client.numbers.start(await optionalContainerId(client, number)), movedColumns)
}

/** Adds `numbers start`. */
export function registerStart(numbers: Command, run: Run): void {
  addVerb(numbers, 'start [number]', 'start a stopped number', 'msgctl numbers start support').action(run(start))
}
