import type { Context } from '../../context.ts'
import { verb } from '../../program.ts'
import { resolveContainerId } from '../numbers/reference.ts'

async function deleteKey(context: Context, { number }: { readonly number: string }): Promise<void> {
  const client = await context.client()
  const containerId = await resolveContainerId(client, number)
  await context.confirm(`Delete the key of ${number}? It stops working immediately.`)
  await client.numbers.deleteKey({ containerId })
  await context.done({ containerId }, `Deleted the key of ${number}.`)
}

/** `keys delete`. */
export const deleteVerb = verb(
  'delete',
  'delete the key of a number; it stops working immediately',
  deleteKey,
  ['msgctl keys delete --number support'],
  (command) => command.requiredOption('--number <number>', 'select the key of this number: id, label or phone'),
)
