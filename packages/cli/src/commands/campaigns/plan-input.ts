import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { usageFailure } from '../../errors/exit-codes.ts'
import { readText } from '../../input/read-input.ts'
import { rejectRows, reportRejectedRows } from '../../input/row-errors.ts'
import { instantFault } from '../reminders/csv-rows.ts'
import { type RecipientList, type RecipientSource, readRecipients } from './recipient-list.ts'

export interface PlanOptions extends RecipientSource {
  readonly at?: string
  readonly strict?: true
}

/** What a campaign sends, and the list that its recipients came from. */
interface Plan {
  readonly people: RecipientList
  readonly input: {
    readonly template: string
    readonly recipients: RecipientList['recipients'][number][]
    readonly strictVariables?: true
  }
}

/** Reads the template and the recipients of a campaign. Throws a usage failure for a wrong time or row. */
export async function readPlan(context: Context, text: string, options: PlanOptions): Promise<Plan> {
  requireInstant(options.at)
  const template = await readTemplate(context, text, options)
  const people = await requireRecipients(context, options)
  const strict = options.strict && { strictVariables: options.strict }
  return { people, input: { template, recipients: [...people.recipients], ...strict } }
}

export function requireInstant(at: string | undefined): void {
  const fault = at === undefined ? undefined : instantFault(at)
  if (fault !== undefined) throw usageFailure(`--at: ${fault}.`)
}

export function readTemplate({ host }: Context, text: string, { csv, file }: RecipientSource): Promise<string> {
  if (text === '-' && (csv === '-' || file === '-')) {
    throw usageFailure('The text and the recipients cannot both come from stdin.')
  }
  return readText(host, text)
}

/** Reads the recipients. Adds a note for each invalid row and throws, before anything is sent. */
export async function requireRecipients(context: Context, source: RecipientSource): Promise<RecipientList> {
  const list = await readRecipients(context.host, source)
  rejectRows(context, list.errors)
  return list
}

/** Awaits `call`, and adds notes with the lines of the rows that the service rejected. */
export async function reportingRows<T>(context: Context, { positions }: RecipientList, call: Promise<T>): Promise<T> {
  return call.catch((error: unknown) => {
    reportRejectedRows(context, 'recipients', positions, error)
    throw error
  })
}

export function sourceOptions(command: Command): Command {
  return command
    .option('--csv <file>', 'CSV file with a column phone; other columns are variables; - for stdin')
    .option('--file <file>', 'JSON array of phones, or of objects with phone and variables; - for stdin')
    .option('--recipients <phones>', 'phones separated by commas')
}

export const strictOption = ['--strict', 'fail if a recipient lacks the value of a placeholder'] as const
