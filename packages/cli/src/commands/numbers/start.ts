import type { Context } from '../../context.ts'
import type { Column } from '../../output/columns.ts'
import { verb } from '../../program.ts'
import { optionalContainerId } from './reference.ts'

/** Without the status, which is `starting` for a number that runs already, too. */
const columns: readonly Column[] = [{ field: 'message', title: 'Message' }]

async function start(context: Context, number: string | undefined): Promise<void> {
  const client = await context.client()
  await context.print.record(await client.numbers.start(await optionalContainerId(client, number)), columns)
}

/** `numbers start`. */
export const startVerb = verb('start [number]', 'start a stopped number', start, ['msgctl numbers start support'])
