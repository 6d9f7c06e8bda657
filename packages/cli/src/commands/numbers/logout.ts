import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { addVerb, type Run } from '../../program.ts'
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

/** Adds `numbers logout`. */
export function registerLogout(numbers: Command, run: Run): void {
  addVerb(numbers, 'logout [number]', 'unlink a number from its phone', 'msgctl numbers logout support --yes').action(
    run(logout),
  )
}
