import type { Context } from '../../context.ts'
import { verb } from '../../program.ts'
import { movedColumns } from './columns.ts'
import { optionalContainerId } from './reference.ts'

async function start(context: Context, number: string | undefined): Promise<void> {
  const client = await context.client()
  await context.print.record(await client.numbers.start(await optionalContainerId(client, number)), movedColumns)
}

/** `numbers start`. */
export const startVerb = verb('start [number]', 'start a stopped number', start, ['msgctl numbers start support'])
