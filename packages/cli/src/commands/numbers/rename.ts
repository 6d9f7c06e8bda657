import type { Context } from '../../context.ts'
import { verb } from '../../program.ts'
import { columns } from './columns.ts'
import { resolveContainerId } from './reference.ts'

async function rename(context: Context, number: string, label: string): Promise<void> {
  const { session } = await context.asUser(async (client) =>
    client.numbers.update({ containerId: await resolveContainerId(client, number), label }),
  )
  await context.print.record(session, columns)
}

/** `numbers rename`. */
export const renameVerb = verb(
  'rename <number> <label>',
  'change the label of a number (requires a signed-in user)',
  rename,
  ['msgctl numbers rename support "Front desk"'],
)
