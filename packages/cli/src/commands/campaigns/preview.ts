import type { Context } from '../../context.ts'
import { exitCodeFor, leftOutHelp } from '../../input/invalid-rows.ts'
import { defineColumns } from '../../output/columns.ts'
import { verb } from '../../program.ts'
import {
  allowMissingOption,
  type PlanOptions,
  readPlan,
  reportingRows,
  sourceOptions,
  strictOption,
} from './plan-input.ts'

const previewColumns = defineColumns(
  'total as Rows, unique as Recipients, duplicates, longest as Longest text, estimatedDuration',
)

const missingColumns = defineColumns('key as Placeholder, recipients as Recipients without a value')

const sampleColumns = defineColumns('phone as To, text')

async function preview(context: Context, typed: string, options: PlanOptions): Promise<number> {
  // The preview lists what is missing instead of refusing it, and sends nothing that must be confirmed.
  const plan = { ...options, allowMissing: true as const }
  const { people, input } = await readPlan(context, typed, plan, { asksLater: true })
  const client = await context.client()
  const call = client.campaigns.preview({ name: 'preview', ...input }, { signal: context.host.signal })
  const { success: _always, ...result } = await reportingRows(context, people, call)
  const { print } = context
  await print.record(result, previewColumns)
  if (print.format !== 'table' || context.options.fields !== undefined) return exitCodeFor(people.errors)
  if (result.missingVariables.length > 0) {
    await print.text('\n')
    await print.list(result.missingVariables, missingColumns)
  }
  await print.text('\n')
  await print.list(result.samples, sampleColumns)
  return exitCodeFor(people.errors)
}

/** `campaigns preview`. */
export const previewVerb = verb(
  'preview <text>',
  'show the recipients, texts and estimated duration of a campaign without storing it',
  preview,
  ['msgctl campaigns preview "Dear {{name}}, we have news" --csv people.csv'],
  (command) =>
    sourceOptions(command)
      .option(...allowMissingOption)
      .addOption(strictOption())
      .addHelpText('after', leftOutHelp),
)
