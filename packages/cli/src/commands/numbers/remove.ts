import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { addVerb, type Run } from '../../program.ts'
import { findNumber } from './reference.ts'

async function remove(context: Context, number: string): Promise<void> {
  const id = await context.asUser(async (client) => {
    const { id: containerId, label, phoneNumber } = await findNumber(client, number)
    const phone = phoneNumber === null ? '' : `, +${phoneNumber}`
    await context.confirmTyped(`Remove the number "${label}" (${containerId}${phone}) permanently?`, label)
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
