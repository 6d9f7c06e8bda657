import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { addVerb, type Run } from '../../program.ts'
import { movedColumns } from './columns.ts'
import { namedNumber } from './reference.ts'

async function stop(context: Context, number: string | undefined): Promise<void> {
  const client = await context.client()
  const { chosen, name } = await namedNumber(client, number)
  await context.confirm(`Stop ${name}? It does not send until it is started again.`)
  await context.print.record(await client.numbers.stop(chosen), movedColumns)
}

/** Adds `numbers stop`. */
export function registerStop(numbers: Command, run: Run): void {
  addVerb(numbers, 'stop [number]', 'stop a number', 'msgctl numbers stop support').action(run(stop))
}
