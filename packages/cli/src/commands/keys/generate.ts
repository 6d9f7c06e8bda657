import type { Context } from '../../context.ts'
import { verb } from '../../program.ts'
import { resolveContainerId } from '../numbers/reference.ts'
import { accountColumns, columns, type KeyOptions, numberOption } from './columns.ts'

async function generate(context: Context, { number }: KeyOptions): Promise<void> {
  await context.confirm('Create a key? It is shown only once.')
  if (number === undefined) {
    const { success: _always, ...made } = await context.asUser((client) => client.account.generateKey())
    return context.print.record(made, accountColumns)
  }
  const client = await context.client()
  const containerId = await resolveContainerId(client, number)
  const { success: _always, ...made } = await client.numbers.generateKey({ containerId })
  await context.print.record(made, columns)
}

/** `keys generate`. */
export const generateVerb = verb(
  'generate',
  'create the first key of the account (requires a signed-in user) or of a number',
  generate,
  ['msgctl keys generate --yes', 'msgctl keys generate --number support'],
  (command) => command.option(...numberOption),
)
