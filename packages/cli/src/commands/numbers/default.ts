import type { Context } from '../../context.ts'
import { verb } from '../../program.ts'
import { columns } from './columns.ts'
import { resolveContainerId } from './reference.ts'

async function makeDefault(context: Context, number: string): Promise<void> {
  const { session } = await context.asUser(async (client) =>
    client.numbers.update({ containerId: await resolveContainerId(client, number), isDefault: true }),
  )
  await context.print.record(session, columns)
}

/** `numbers default`. */
export const defaultVerb = verb(
  'default <number>',
  'make a number the default (requires a signed-in user)',
  makeDefault,
  ['msgctl numbers default support'],
)
