import { usageFailure } from '../errors/exit-codes.ts'
import { type Column, valueAt } from './columns.ts'

/** The selected fields, and how an unknown field is handled. */
export interface FieldChoice {
  readonly fields: readonly string[] | undefined
  /** Whether this run has changed something. Before a change an unknown field is an error, after it a warning. */
  readonly changed: () => boolean
  /** Writes a warning on stderr. */
  readonly warn: (text: string) => void
}

/** How many rows of a stream are buffered while a selected field is missing: one page of the service. */
const maxBufferedRows = 100

function topLevelName(field: string): string {
  return field.split('.', 1)[0] ?? ''
}

/** Returns all fields that --fields can select. Rows may have different fields. */
function listFields(rows: readonly unknown[], columns: readonly Column[]): string[] {
  const names = rows.flatMap((row) => (typeof row === 'object' && row !== null ? Object.keys(row) : []))
  return [...new Set([...names, ...columns.map(({ field }) => topLevelName(field))])]
}

/** Checks the selected fields against those that exist. */
export class FieldSelection {
  readonly #choice: FieldChoice
  #hasWarned = false

  constructor(choice: FieldChoice) {
    this.#choice = choice
  }

  /**
   * Throws a usage error that lists the fields, when neither a row nor a column has a selected one. After a change this
   * is only a warning: without its output, the user might repeat the change.
   */
  requireKnown(rows: readonly unknown[], columns: readonly Column[]): void {
    const unknown = this.#unknown(rows, columns)
    if (unknown.length === 0 || rows.length === 0) return
    const { changed, warn } = this.#choice
    const names = unknown.join(', ')
    const message = unknown.length === 1 ? `Unknown field ${names}` : `Unknown fields ${names}`
    const advice = `Available fields: ${listFields(rows, columns).join(', ') || 'none'}.`
    if (!changed()) throw usageFailure(`${message}.`, advice)
    if (!this.#hasWarned) warn(`${message}; the column is empty. ${advice}`)
    this.#hasWarned = true
  }

  /** Yields the rows. Buffers the first ones until every field was seen, or until the buffer is full. */
  async *known(rows: Iterable<unknown> | AsyncIterable<unknown>, columns: readonly Column[]): AsyncGenerator<unknown> {
    let held: unknown[] | undefined = []
    for await (const row of rows) {
      if (held === undefined) {
        yield row
        continue
      }
      held.push(row)
      if (this.#mayResolve(held, columns)) continue
      this.requireKnown(held, columns)
      yield* held
      held = undefined
    }
    if (held === undefined) return
    this.requireKnown(held, columns)
    yield* held
  }

  /** Whether a later row may have the missing fields. */
  #mayResolve(held: readonly unknown[], columns: readonly Column[]): boolean {
    return held.length < maxBufferedRows && !this.#choice.changed() && this.#unknown(held, columns).length > 0
  }

  /** Checks only top-level names, because the data of two events has different fields. */
  #unknown(rows: readonly unknown[], columns: readonly Column[]): string[] {
    const named = new Set(columns.map(({ field }) => topLevelName(field)))
    return (this.#choice.fields ?? []).filter(
      (field) =>
        !named.has(topLevelName(field)) && rows.every((row) => valueAt(row, topLevelName(field)) === undefined),
    )
  }
}
