import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { addVerb, type Run } from '../../program.ts'
import { resolveContainerId } from '../numbers/reference.ts'
import { accountColumns, columns, type KeyOptions } from './shared.ts'

async function generate(context: Context, { number }: KeyOptions): Promise<void> {
  await context.confirm('Make a key? It is shown this once only.')
  if (number === undefined) {
    const { success: _always, ...made } = await context.asPerson((client) => client.account.generateKey())
    return context.print.record(made, accountColumns)
  }
  const client = await context.client()
  const containerId = await resolveContainerId(client, number)
  const { success: _always, ...made } = await client.numbers.generateKey({ containerId })
  await context.print.record(made, columns)
}

/** Adds `keys generate`. */
export function registerGenerate(keys: Command, run: Run): void {
  const ofNumber = ['--number <number>', "the number's own key: its id, label or phone"] as const
  addVerb(
    keys,
    'generate',
    'make the first key of the account (a signed-in person) or of a number',
    'msgctl keys generate --yes',
    'msgctl keys generate --number support',
  )
    .option(...ofNumber)
    .action(run(generate))
}
