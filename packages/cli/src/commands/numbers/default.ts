import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { addVerb, type Run } from '../../program.ts'
import { columns } from './columns.ts'
import { resolveContainerId } from './reference.ts'

async function makeDefault(context: Context, number: string): Promise<void> {
  const { session } = await context.asUser(async (client) =>
    client.numbers.update({ containerId: await resolveContainerId(client, number), isDefault: true }),
  )
  await context.print.record(session, columns)
}

/** Adds `numbers default`. */
export function registerDefault(numbers: Command, run: Run): void {
  addVerb(
    numbers,
    'default <number>',
    'make a number the default (requires a signed-in user)',
    'msgctl numbers default support',
  ).action(run(makeDefault))
}
