import type { Context } from '../../context.ts'
import { verb } from '../../program.ts'
import { movedColumns } from './columns.ts'
import { optionalContainerId } from './reference.ts'

async function reconnect(context: Context, number: string | undefined): Promise<void> {
  const client = await context.client()
  await context.print.record(await client.numbers.reconnect(await optionalContainerId(client, number)), movedColumns)
}

/** `numbers reconnect`. */
export const reconnectVerb = verb(
  'reconnect [number]',
  'restart the connection of a number; it stays linked',
  reconnect,
  ['msgctl numbers reconnect support'],
)
