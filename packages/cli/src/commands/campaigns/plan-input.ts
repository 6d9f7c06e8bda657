import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { usageFailure } from '../../errors/exit-codes.ts'
import { readText } from '../../input/read-input.ts'
import { rejectRows, reportRejectedRows } from '../../input/row-errors.ts'
import { instantFault } from '../reminders/csv-rows.ts'
import { type People, type PeopleSource, readPeople } from './recipient-list.ts'

export interface PlanOptions extends PeopleSource {
  readonly at?: string
  readonly strict?: true
}

export function requireInstant(at: string | undefined): void {
  const fault = at === undefined ? undefined : instantFault(at)
  if (fault !== undefined) throw usageFailure(`--at: ${fault}.`)
}

export function textFrom({ host }: Context, text: string, { csv, file }: PeopleSource): Promise<string> {
  if (text === '-' && (csv === '-' || file === '-')) {
    throw usageFailure('The text and the people cannot both come from stdin.')
  }
  return readText(host, text)
}

/** Everybody of the source. Tells every bad row with its line, and throws then, before anything is sent. */
export async function peopleFrom(context: Context, source: PeopleSource): Promise<People> {
  const people = await readPeople(context.host, source)
  rejectRows(context, people.bad)
  return people
}

/** Does `work`, and tells the lines of the rows when the service refuses some. */
export async function reportingRows<T>(context: Context, { places }: People, work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    reportRejectedRows(context, 'recipients', places, error)
    throw error
  })
}

export function sourceOptions(command: Command): Command {
  return command
    .option('--csv <file>', 'a column phone, every other one is a variable; - for stdin')
    .option('--file <file>', 'JSON: a list of phones, or of objects with phone and variables; - for stdin')
    .option('--recipients <phones>', 'phones with commas between them')
}

export const strictOption = ['--strict', 'refuse when somebody lacks the value of a placeholder'] as const
