import type { Context } from '../../context.ts'
import { verb } from '../../program.ts'
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

/** `numbers remove`. */
export const removeVerb = verb('remove <number>', 'remove a number permanently (requires a signed-in user)', remove, [
  'msgctl numbers remove support',
  'msgctl numbers remove 0190c1d2-7a3b-7c4d-8e5f-60718293a4b5 --yes',
])
