import type { Context } from '../context.ts'
import { CliError } from '../errors/cli-error.ts'
import { exitCodes } from '../errors/exit-codes.ts'
import { sanitizeLine } from '../output/sanitize.ts'

/** Where a row stands in what was given: a line of a file, or an entry of a list, both from 1. */
export type RowPosition = { readonly line: number } | { readonly entry: number }

/** What is wrong with one row. */
export interface RowError {
  readonly at: RowPosition
  readonly fault: string
}

/** A place as people are told it. */
function placeText(at: RowPosition): string {
  return 'line' in at ? `line ${at.line}` : `entry ${at.entry}`
}

/** Tells every bad row with its place, and throws a usage failure when there is one: nothing has been sent then. */
export function rejectRows(context: Context, bad: readonly RowError[]): void {
  for (const { at, fault } of bad) context.note(`${placeText(at)}: ${fault}`)
  if (bad.length === 0) return
  throw new CliError(`${bad.length === 1 ? '1 row is' : `${bad.length} rows are`} not good. Nothing was sent.`, {
    code: 'USAGE',
    exitCode: exitCodes.usage,
    details: { rows: bad.map(({ at, fault }) => ({ ...at, fault })) },
  })
}

/** Tells the places of the rows for which the service refused them all; it names them `<list>.<index>.<field>`. */
export function reportRejectedRows(
  context: Context,
  list: string,
  places: readonly RowPosition[],
  error: unknown,
): void {
  const { details } = (error ?? {}) as { readonly details?: Readonly<Record<string, unknown>> }
  for (const [field, faults] of Object.entries(details ?? {})) {
    const [name, index, ...rest] = field.split('.')
    const at = name === list ? places[Number(index)] : undefined
    if (at !== undefined) context.note(sanitizeLine(`${placeText(at)}: ${rest.join('.')} ${String(faults)}`))
  }
}
