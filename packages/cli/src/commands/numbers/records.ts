import type { Context } from '../../context.ts'
import { verb, verbs } from '../../program.ts'
import { columns } from './columns.ts'
import { findNumber, resolveContainerId } from './reference.ts'

async function add(context: Context, label: string): Promise<void> {
  const { session } = await context.asUser((client) => client.numbers.create({ label }))
  await context.print.record(session, columns)
  context.note(`Link it to a phone with: msgctl numbers link ${session.id}`)
}

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

async function rename(context: Context, number: string, label: string): Promise<void> {
  const { session } = await context.asUser(async (client) =>
    client.numbers.update({ containerId: await resolveContainerId(client, number), label }),
  )
  await context.print.record(session, columns)
}

async function makeDefault(context: Context, number: string): Promise<void> {
  const { session } = await context.asUser(async (client) =>
    client.numbers.update({ containerId: await resolveContainerId(client, number), isDefault: true }),
  )
  await context.print.record(session, columns)
}

/** `numbers add|remove|rename|default`. */
export const recordVerbs = verbs(
  verb('add <label>', 'add a number (requires a signed-in user)', add, ['msgctl numbers add support']),
  verb('remove <number>', 'remove a number permanently (requires a signed-in user)', remove, [
    'msgctl numbers remove support',
    'msgctl numbers remove 0190c1d2-7a3b-7c4d-8e5f-60718293a4b5 --yes',
  ]),
  verb('rename <number> <label>', 'change the label of a number (requires a signed-in user)', rename, [
    'msgctl numbers rename support "Front desk"',
  ]),
  verb('default <number>', 'make a number the default (requires a signed-in user)', makeDefault, [
    'msgctl numbers default support',
  ]),
)
