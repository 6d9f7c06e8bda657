import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { addVerb, type Run } from '../../program.ts'
import { resolveContainerId } from './reference.ts'

async function remove(context: Context, number: string): Promise<void> {
  const id = await context.asUser(async (client) => {
    const containerId = await resolveContainerId(client, number)
    await context.confirm(`Remove the number ${number} (${containerId}) permanently?`)
    await client.numbers.delete({ containerId })
    return containerId
  })
  await context.done({ id, deleted: true }, `Removed ${number}.`)
}

/** Adds `numbers remove`. */
export function registerRemove(numbers: Command, run: Run): void {
  addVerb(
    numbers,
    'remove <number>',
    'remove a number permanently (requires a signed-in user)',
    'msgctl numbers remove support',
    'msgctl numbers remove 0190c1d2-7a3b-7c4d-8e5f-60718293a4b5 --yes',
  ).action(run(remove))
}
