import type { Context } from '../context.ts'
import { CliError } from '../errors/cli-error.ts'
import { exitCodes } from '../errors/exit-codes.ts'
import { canPrompt } from '../host.ts'
import { sanitizeLine } from '../output/sanitize.ts'

/** The position of a row in the input: a line of a file, or an entry of a list, both from 1. */
export type RowPosition = { readonly line: number } | { readonly entry: number }

/** The error in one row. */
export interface RowError {
  readonly at: RowPosition
  readonly fault: string
}

/** The option of every command that reads rows. */
export interface InvalidRowOptions {
  readonly skipInvalid?: true
}

export const skipInvalidOption = [
  '--skip-invalid',
  'leave out invalid rows instead of refusing the file, and list them',
] as const

/** The exit codes of the commands with that option, for their help. */
export const leftOutHelp = '\nExit code: 0 with every row, 9 rows were left out.'

/** How many rows are listed in the terminal. Machine-readable formats have all of them in the error. */
const maxListed = 20

function listRows(write: (text: string) => void, errors: readonly RowError[]): void {
  for (const { at, fault } of errors.slice(0, maxListed)) {
    write(sanitizeLine(`${'line' in at ? `line ${at.line}` : `entry ${at.entry}`}: ${fault}`))
  }
  if (errors.length > maxListed) write(`and ${errors.length - maxListed} more`)
}

/**
 * Lists the invalid rows of a list, before anything is sent. With --skip-invalid they are left out, and a person on a
 * terminal is asked whether to. Otherwise throws a usage error, as it does when no row is valid.
 */
export async function resolveInvalidRows(
  context: Context,
  { valid, errors }: { readonly valid: number; readonly errors: readonly RowError[] },
  { skipInvalid }: InvalidRowOptions,
): Promise<void> {
  if (errors.length === 0) return
  const mayContinue = valid > 0
  const { yes, dryRun } = context.options
  // A script must see what was left out in every format.
  listRows(skipInvalid && mayContinue ? context.warn : context.note, errors)
  if (skipInvalid && mayContinue) return
  const them = errors.length === 1 ? 'it' : 'them'
  const invalid = errors.length === 1 ? '1 row is invalid.' : `${errors.length} rows are invalid.`
  if (mayContinue && !yes && !dryRun && canPrompt(context.host)) {
    return context.confirm(`${invalid} Leave ${them} out, and continue with ${valid}?`)
  }
  throw new CliError(`${mayContinue ? invalid : 'No row is valid.'} Nothing was changed.`, {
    code: 'USAGE',
    exitCode: exitCodes.usage,
    ...(mayContinue && { advice: `Correct ${them}, or leave ${them} out with --skip-invalid.` }),
    details: { rows: errors.map(({ at, fault }) => ({ ...at, fault })) },
  })
}

/** Returns the exit code of a command that did its work, but perhaps not for every row. */
export function exitCodeFor(leftOut: { readonly length: number }): number {
  return leftOut.length === 0 ? exitCodes.ok : exitCodes.partlyDone
}

/** Adds a note for each row that the service rejected. Its error names them `<list>.<index>.<field>`. */
export function reportRejectedRows(
  context: Context,
  list: string,
  positions: readonly RowPosition[],
  error: unknown,
): void {
  const { details } = (error ?? {}) as { readonly details?: Readonly<Record<string, unknown>> }
  const errors = Object.entries(details ?? {}).flatMap(([field, faults]) => {
    const [name, index, ...rest] = field.split('.')
    const at = name === list ? positions[Number(index)] : undefined
    return at === undefined ? [] : [{ at, fault: `${rest.join('.')} ${String(faults)}` }]
  })
  listRows(context.note, errors)
}
