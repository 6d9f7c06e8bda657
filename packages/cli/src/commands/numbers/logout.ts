import type { Context } from '../../context.ts'
import { verb } from '../../program.ts'
import { movedColumns } from './columns.ts'
import { namedNumber } from './reference.ts'

async function logout(context: Context, number: string | undefined): Promise<void> {
  const client = await context.client()
  const { chosen, name } = await namedNumber(client, number)
  await context.confirm(`Unlink ${name}? It must be linked again before it can send.`)
  const response = await client.numbers.logout(chosen)
  await context.print.record(response, [...movedColumns, { field: 'heldMessages', title: 'Held messages' }])
  context.note(`Link it again with: msgctl numbers link ${response.containerId}`)
}

/** `numbers logout`. */
export const logoutVerb = verb('logout [number]', 'unlink a number from its phone', logout, [
  'msgctl numbers logout support --yes',
])
