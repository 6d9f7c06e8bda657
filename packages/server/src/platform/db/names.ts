import type pg from 'pg'

/** What Knex's migrator reads by the name that it gave. */
const camelNames = new Map([['max_batch', 'max_batch']])
const snakeNames = new Map<string, string>()

/** Returns the name that a column `container_id` has in our rows: `containerId`. */
export function camelName(column: string): string {
  const known = camelNames.get(column)
  if (known !== undefined) return known
  const name = column.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
  camelNames.set(column, name)
  return name
}

/** Returns the name of the column that is `containerId` in our rows: `container_id`. */
export function snakeName(name: string): string {
  const known = snakeNames.get(name)
  if (known !== undefined) return known
  const column = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  snakeNames.set(name, column)
  return column
}

/**
 * Gives the rows of a connection camel-case names: renames the columns where Postgres describes a result, before its
 * first row. Nothing is converted row by row, and what is in a JSON value keeps its names.
 */
export function readInCamelCase({ connection }: pg.Client): void {
  connection.prependListener('rowDescription', ({ fields }: { readonly fields: { name: string }[] }) => {
    for (const field of fields) field.name = camelName(field.name)
  })
}
