import type { Context } from '../../context.ts'
import { verb } from '../../program.ts'
import { movedColumns } from './columns.ts'
import { namedNumber } from './reference.ts'

async function stop(context: Context, number: string | undefined): Promise<void> {
  const client = await context.client()
  const { chosen, name } = await namedNumber(client, number)
  await context.confirm(`Stop ${name}? It does not send until it is started again.`)
  await context.print.record(await client.numbers.stop(chosen), movedColumns)
}

/** `numbers stop`. */
export const stopVerb = verb('stop [number]', 'stop a number', stop, ['msgctl numbers stop support'])
