/** A column of the rows that a caller passes to a statement: its name, its type in SQL, and its value in a row. */
export type InputColumn<Row> = readonly [name: string, type: string, read: (row: Row) => unknown]

/**
 * Returns SQL for the rows of a caller, `unnest(...) as alias(...)`. Its bindings are those of {@link toArrays}: one
 * array for each column, which Postgres reads in half the time of JSON.
 */
export function inputRowsSql<Row>(alias: string, columns: readonly InputColumn<Row>[]): string {
  const arrays = columns.map(([name, type]) => `:${name}::${type}[]`)
  return `unnest(${arrays.join(', ')}) as ${alias}(${columns.map(([name]) => name).join(', ')})`
}

/** Returns the bindings of {@link inputRowsSql}, by the name of the column. Null and undefined are stored as null. */
export function toArrays<Row>(columns: readonly InputColumn<Row>[], rows: readonly Row[]): Record<string, unknown[]> {
  return Object.fromEntries(columns.map(([name, , read]) => [name, rows.map((row) => read(row) ?? null)]))
}
