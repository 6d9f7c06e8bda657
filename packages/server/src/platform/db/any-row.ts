/**
 * Returns SQL for whether there is a row; `from` is a table with a condition and an order. The order makes the planner
 * read the index of it. For `exists` it expects a match among the first rows, and reads a whole table in which there is
 * none.
 */
export function anyRow(from: string): string {
  return `((select true from ${from} limit 1) is not null)`
}
