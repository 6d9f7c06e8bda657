import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { addVerb, type Run } from '../../program.ts'
import { columns } from './columns.ts'
import { resolveContainerId } from './reference.ts'

async function rename(context: Context, number: string, label: string): Promise<void> {
  const { session } = await context.asUser(async (client) =>
    client.numbers.update({ containerId: await resolveContainerId(client, number), label }),
  )
  await context.print.record(session, columns)
}

/** Adds `numbers rename`. */
export function registerRename(numbers: Command, run: Run): void {
  addVerb(
    numbers,
    'rename <number> <label>',
    'change the label of a number (requires a signed-in user)',
    'msgctl numbers rename support "Front desk"',
  ).action(run(rename))
}
