import type { Context } from '../context.ts'
import { CliError } from '../errors/cli-error.ts'
import { exitCodes } from '../errors/exit-codes.ts'
import { sanitizeLine } from '../output/sanitize.ts'

/** The position of a row in the input: a line of a file, or an entry of a list, both from 1. */
export type RowPosition = { readonly line: number } | { readonly entry: number }

/** The error in one row. */
export interface RowError {
  readonly at: RowPosition
  readonly fault: string
}

/** Formats a position for a message. */
function formatPosition(at: RowPosition): string {
  return 'line' in at ? `line ${at.line}` : `entry ${at.entry}`
}

/** Adds a note for each invalid row, and throws a usage error if there is one, before anything is sent. */
export function rejectRows(context: Context, errors: readonly RowError[]): void {
  for (const { at, fault } of errors) context.note(`${formatPosition(at)}: ${fault}`)
  if (errors.length === 0) return
  throw new CliError(
    `${errors.length === 1 ? '1 row is' : `${errors.length} rows are`} invalid. Nothing was changed.`,
    {
      code: 'USAGE',
      exitCode: exitCodes.usage,
      details: { rows: errors.map(({ at, fault }) => ({ ...at, fault })) },
    },
  )
}

/** Adds a note for each row that the service rejected. Its error names them `<list>.<index>.<field>`. */
export function reportRejectedRows(
  context: Context,
  list: string,
  positions: readonly RowPosition[],
  error: unknown,
): void {
  const { details } = (error ?? {}) as { readonly details?: Readonly<Record<string, unknown>> }
  for (const [field, faults] of Object.entries(details ?? {})) {
    const [name, index, ...rest] = field.split('.')
    const at = name === list ? positions[Number(index)] : undefined
    if (at !== undefined) context.note(sanitizeLine(`${formatPosition(at)}: ${rest.join('.')} ${String(faults)}`))
  }
}
