import { saveKey } from '../../config/save-key.ts'
import type { Context } from '../../context.ts'
import { defineColumns } from '../../output/columns.ts'
import { verb, verbs } from '../../program.ts'
import { resolveContainerId } from '../numbers/reference.ts'

interface KeyOptions {
  readonly number?: string
}

const numberOption = ['--number <number>', 'select the key of this number: id, label or phone'] as const

const columns = defineColumns('apiKey as Key, label as Number, containerId as Number id, warning')

const accountColumns = columns.filter(({ field }) => field === 'apiKey' || field === 'warning')

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

async function rotate(context: Context, { number }: KeyOptions): Promise<void> {
  const client = await context.client()
  if (number !== undefined) {
    const containerId = await resolveContainerId(client, number)
    await context.confirm(`Replace the key of ${number}? The old one stops working immediately.`)
    const { success: _always, ...made } = await client.numbers.regenerateKey({ containerId })
    return context.print.record(made, columns)
  }
  await context.confirm('Replace the account key? The old one stops working immediately.')
  const { success: _always, ...made } = await client.account.regenerateKey()
  try {
    saveKey(context, made.apiKey)
  } finally {
    // Also when the file cannot be written, because the key is stored nowhere else.
    await context.print.record(made, accountColumns)
  }
}

async function deleteKey(context: Context, { number }: { readonly number: string }): Promise<void> {
  const client = await context.client()
  const containerId = await resolveContainerId(client, number)
  await context.confirm(`Delete the key of ${number}? It stops working immediately.`)
  await client.numbers.deleteKey({ containerId })
  await context.done({ containerId }, `Deleted the key of ${number}.`)
}

export const register = verbs(
  verb(
    'generate',
    'create the first key of the account (requires a signed-in user) or of a number',
    generate,
    ['msgctl keys generate --yes', 'msgctl keys generate --number support'],
    (command) => command.option(...numberOption),
  ),
  verb(
    'rotate',
    'replace a key; the old one stops working immediately',
    rotate,
    ['msgctl keys rotate', 'msgctl keys rotate --number support --yes --output plain --fields apiKey'],
    (command) => command.alias('regenerate').option(...numberOption),
  ),
  verb(
    'delete',
    'delete the key of a number; it stops working immediately',
    deleteKey,
    ['msgctl keys delete --number support'],
    (command) => command.requiredOption('--number <number>', 'select the key of this number: id, label or phone'),
  ),
)
