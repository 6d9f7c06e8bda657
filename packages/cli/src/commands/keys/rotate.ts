import { saveKey } from '../../config/save-key.ts'
import type { Context } from '../../context.ts'
import { verb } from '../../program.ts'
import { resolveContainerId } from '../numbers/reference.ts'
import { accountColumns, columns, type KeyOptions, numberOption } from './columns.ts'

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

/** `keys rotate`. */
export const rotateVerb = verb(
  'rotate',
  'replace a key; the old one stops working immediately',
  rotate,
  ['msgctl keys rotate', 'msgctl keys rotate --number support --yes --output plain --fields apiKey'],
  (command) => command.alias('regenerate').option(...numberOption),
)
