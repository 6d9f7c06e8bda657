import type { Command } from 'commander'
import { saveKey } from '../../config/save-key.ts'
import type { Context } from '../../context.ts'
import type { Column } from '../../output/columns.ts'
import { addVerb, type Run } from '../../program.ts'
import { resolveContainerId } from '../numbers/number-reference.ts'

interface KeyOptions {
  readonly number?: string
}

const columns: readonly Column[] = [
  { field: 'apiKey', title: 'Key' },
  { field: 'label', title: 'Number' },
  { field: 'containerId', title: 'Number id' },
  { field: 'warning', title: 'Mind' },
]
const accountColumns = columns.filter(({ field }) => field === 'apiKey' || field === 'warning')

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

async function rotate(context: Context, { number }: KeyOptions): Promise<void> {
  const client = await context.client()
  if (number !== undefined) {
    const containerId = await resolveContainerId(client, number)
    await context.confirm(`Replace the key of ${number}? The old one stops working at once.`)
    const { success: _always, ...made } = await client.numbers.regenerateKey({ containerId })
    return context.print.record(made, columns)
  }
  await context.confirm('Replace the account key? The old one stops working at once.')
  const { success: _always, ...made } = await client.account.regenerateKey()
  try {
    saveKey(context, made.apiKey)
  } finally {
    // Also when the file cannot be written: then the new key stands nowhere else.
    await context.print.record(made, accountColumns)
  }
}

export function register(keys: Command, run: Run): void {
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
  addVerb(
    keys,
    'rotate',
    'replace a key; the old one stops working at once',
    'msgctl keys rotate',
    'msgctl keys rotate --number support --yes --output plain --fields apiKey',
  )
    .alias('regenerate')
    .option(...ofNumber)
    .action(run(rotate))
}
