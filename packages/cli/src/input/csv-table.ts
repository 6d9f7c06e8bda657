import { limits } from '@msgctl/contract/limits'
import { usageFailure } from '../errors/exit-codes.ts'
import type { Host } from '../host.ts'
import { sanitizeLine } from '../output/sanitize.ts'
import { readCsv } from './csv-records.ts'

/** Which columns of a table mean something; any other is a variable of that name. */
export interface TableShape {
  /** In the spelling that messages use; files may spell them in any case. */
  readonly required: readonly string[]
  readonly optional: readonly string[]
  /** A first line as it should look, for the advice. */
  readonly example: string
}

/** One row below the first line. */
export interface TableRow {
  /** Where it ends in its file, from 1. */
  readonly line: number
  /** The cell of a column that means something, named in lower case; empty when there is none. */
  cell(name: string): string
  /** The other columns, under their own names. */
  readonly variables: Readonly<Record<string, string>>
  /** What is wrong with the row so far: its number of cells. */
  readonly faults: readonly string[]
}

/**
 * The rows of a CSV file, or of stdin for `-`, whose first line names the columns. Throws a usage failure when it cannot
 * be read, is no CSV, lacks a required column or holds no row.
 */
export async function readTable(host: Host, file: string, shape: TableShape): Promise<TableRow[]> {
  const [header, ...body] = await readCsv(host, file)
  const names = header?.cells ?? []
  const lowered = names.map((name) => name.toLowerCase())
  for (const name of shape.required) {
    if (lowered.includes(name.toLowerCase())) continue
    throw usageFailure(`The first line has no column ${name}.`, `It names the columns: ${shape.example}`)
  }
  if (body.length === 0) throw usageFailure('There is no row below the first line.')
  const own = [...shape.required, ...shape.optional].map((name) => name.toLowerCase())
  // Columns that mean something are the same in any case; variables are told apart by it.
  const columns = names.map((name, at) => (own.includes(lowered[at] ?? '') ? (lowered[at] ?? '') : name))
  const twice = columns.find((name, at) => name !== '' && columns.indexOf(name) !== at)
  if (twice !== undefined) throw usageFailure(`The first line names the column ${sanitizeLine(twice)} twice.`)
  return body.map(({ cells, line }) => ({
    line,
    cell: (name) => cells[lowered.indexOf(name)] ?? '',
    variables: Object.fromEntries(
      columns.flatMap((name, at) => (name === '' || own.includes(name) ? [] : [[name, cells[at] ?? ''] as const])),
    ),
    faults: faultsOf(columns, cells),
  }))
}

/** Columns without a name are what spreadsheets leave behind, unless something stands in them. */
function faultsOf(columns: readonly string[], cells: readonly string[]): string[] {
  if (cells.length !== columns.length) return [`has ${cells.length} columns, the first line ${columns.length}`]
  const stray = cells.find((cell, at) => columns[at] === '' && cell !== '')
  return stray === undefined ? [] : [`has ${sanitizeLine(stray)} in a column without a name`]
}

/** A cell as a sentence names it. */
export function shownCell(text: string): string {
  return text === '' ? 'an empty cell' : sanitizeLine(text)
}

/** What is wrong with the variables of one row. */
export function variableFaults(variables: Readonly<Record<string, string>>): string[] {
  const { entries, key, value } = limits.variables
  const names = Object.keys(variables)
  return [
    ...(names.length > entries ? [`has ${names.length} variables, at most ${entries} are taken`] : []),
    ...names.filter((name) => name.length > key).map(() => `the name of a variable has more than ${key} characters`),
    ...names
      .filter((name) => (variables[name]?.length ?? 0) > value)
      .map((name) => `${shownCell(name)} has more than ${value} characters`),
  ]
}
