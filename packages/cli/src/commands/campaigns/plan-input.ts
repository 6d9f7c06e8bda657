import { type Command, Option } from 'commander'
import type { Context } from '../../context.ts'
import { usageFailure } from '../../errors/exit-codes.ts'
import {
  type InvalidRowOptions,
  reportRejectedRows,
  resolveInvalidRows,
  skipInvalidOption,
} from '../../input/invalid-rows.ts'
import { instantFrom } from '../../input/moment.ts'
import { type MissingValue, shownMissing } from '../../input/placeholders.ts'
import { readText } from '../../input/read-input.ts'
import { reportReadings } from '../../input/written-phone.ts'
import { type RecipientList, type RecipientSource, readRecipients } from './recipient-list.ts'

export interface PlanOptions extends RecipientSource, InvalidRowOptions {
  readonly at?: string
  readonly timeZone?: string
  readonly allowMissing?: true
}

/** What a campaign sends, and the list that its recipients came from. */
interface Plan {
  readonly people: RecipientList
  readonly input: {
    readonly template: string
    readonly recipients: RecipientList['recipients'][number][]
    readonly strictVariables: boolean
  }
}

/** Reads the template and the recipients of a campaign. Throws a usage failure for a wrong time or row. */
export async function readPlan(
  context: Context,
  text: string,
  options: PlanOptions,
  { asksLater }: { readonly asksLater: boolean },
): Promise<Plan> {
  const template = await readTemplate(context, text, options)
  const people = await requireRecipients(context, options, { asksLater })
  return { people, input: { template, recipients: [...people.recipients], strictVariables: !options.allowMissing } }
}

/** Parses --at. Throws a usage error for a time that is not valid or in the past. */
export function readStart(
  { host, warn }: Context,
  { at, timeZone }: Pick<PlanOptions, 'at' | 'timeZone'>,
): string | undefined {
  if (at === undefined) return undefined
  return instantFrom(at, '--at', { nowMs: host.now(), timeZone: timeZone ?? host.timeZone, note: warn })
}

/** Throws a usage error that names the placeholders without a value. With --allow-missing it is a note. */
export function reportMissing(
  context: Context,
  missing: readonly MissingValue[],
  allowMissing: true | undefined,
): void {
  if (missing.length === 0) return
  const text = `The text has placeholders without a value: ${shownMissing(missing)}.`
  if (!allowMissing) {
    throw usageFailure(`${text} Nothing was scheduled.`, 'Add the values, or pass --allow-missing to leave them empty.')
  }
  context.note(text)
}

export function readTemplate({ host }: Context, text: string, { csv, file }: RecipientSource): Promise<string> {
  if (text === '-' && (csv === '-' || file === '-')) {
    throw usageFailure('The text and the recipients cannot both come from stdin.')
  }
  return readText(host, text)
}

/**
 * Reads the recipients, and decides about invalid rows before anything is sent. Numbers without + are confirmed on a
 * terminal, unless the command asks later.
 */
export async function requireRecipients(
  context: Context,
  source: RecipientSource & InvalidRowOptions,
  { asksLater }: { readonly asksLater: boolean },
): Promise<RecipientList> {
  const list = await readRecipients(context.host, source)
  await resolveInvalidRows(context, { valid: list.recipients.length, errors: list.errors }, source)
  await reportReadings(context, list.phones, { asksLater })
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
    .option(...skipInvalidOption)
}

export const allowMissingOption = [
  '--allow-missing',
  'leave placeholders empty for recipients that lack the value, instead of refusing the list',
] as const

/** Adds --at and the zone of a local time. */
export function startOptions(command: Command): Command {
  return command
    .option('--at <time>', 'start time: +2h, "tomorrow 9:00", or a date with time')
    .option('--time-zone <zone>', 'time zone of --at (default: the local one)')
}

/** The former opt-in to what is the default now. */
export const strictOption = (): Option => new Option('--strict').hideHelp()
