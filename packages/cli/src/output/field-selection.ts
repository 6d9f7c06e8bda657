import { usageFailure } from '../errors/exit-codes.ts'
import { type Column, valueAt } from './columns.ts'

/** The fields that were asked for, and what becomes of one that there is none of. */
export interface FieldChoice {
  readonly fields: readonly string[] | undefined
  /** Whether this run has changed something. A wrong field is refused before, and after it only told of. */
  readonly changed: () => boolean
  /** Tells it to whoever reads stderr. */
  readonly warn: (sentences: string) => void
}

/** The rows of a stream that are held back while they lack a field: as many as a page of the service has. */
const maxBufferedRows = 100

function topLevelName(field: string): string {
  return field.split('.', 1)[0] ?? ''
}

/** All that --fields can name. Rows need not be alike: each leaves out what it has no value for. */
function fieldsThereAre(rows: readonly unknown[], columns: readonly Column[]): string[] {
  const names = rows.flatMap((row) => (typeof row === 'object' && row !== null ? Object.keys(row) : []))
  return [...new Set([...names, ...columns.map(({ field }) => topLevelName(field))])]
}

/** Checks what was asked for against what there is. */
export class FieldSelection {
  readonly #choice: FieldChoice
  #hasWarned = false

  constructor(choice: FieldChoice) {
    this.#choice = choice
  }

  /**
   * Throws a usage failure that names the fields there are, when neither a row nor a column has one that was asked for.
   * The answer to a change comes out in any case: whoever misses it repeats the change.
   */
  requireKnown(rows: readonly unknown[], columns: readonly Column[]): void {
    const unknown = this.#unknown(rows, columns)
    if (unknown.length === 0 || rows.length === 0) return
    const { changed, warn } = this.#choice
    const names = unknown.join(', ')
    const message = unknown.length === 1 ? `There is no field ${names}` : `There are no fields ${names}`
    const advice = `There are: ${fieldsThereAre(rows, columns).join(', ') || 'none'}.`
    if (!changed()) throw usageFailure(`${message}.`, advice)
    if (!this.#hasWarned) warn(`${message}, so nothing stands there. ${advice}`)
    this.#hasWarned = true
  }

  /** Rows as they come; the first ones are held back until they have every field, or until it is clear that none has. */
  async *known(rows: Iterable<unknown> | AsyncIterable<unknown>, columns: readonly Column[]): AsyncGenerator<unknown> {
    let held: unknown[] | undefined = []
    for await (const row of rows) {
      if (held === undefined) {
        yield row
        continue
      }
      held.push(row)
      if (this.#maySettle(held, columns)) continue
      this.requireKnown(held, columns)
      yield* held
      held = undefined
    }
    if (held === undefined) return
    this.requireKnown(held, columns)
    yield* held
  }

  /** Whether the next row may have what these lack. */
  #maySettle(held: readonly unknown[], columns: readonly Column[]): boolean {
    return held.length < maxBufferedRows && !this.#choice.changed() && this.#unknown(held, columns).length > 0
  }

  /** What lies deeper may be absent: the data of two events has different fields. */
  #unknown(rows: readonly unknown[], columns: readonly Column[]): string[] {
    const named = new Set(columns.map(({ field }) => topLevelName(field)))
    return (this.#choice.fields ?? []).filter(
      (field) =>
        !named.has(topLevelName(field)) && rows.every((row) => valueAt(row, topLevelName(field)) === undefined),
    )
  }
}
