import { findDelimiter } from '@msgctl/contract/csv'
import { limits } from '@msgctl/contract/limits'
import { usageFailure } from '../errors/exit-codes.ts'
import type { Host } from '../host.ts'
import { sanitizeLine } from '../output/sanitize.ts'
import { readFileOrInput } from './read-input.ts'

/** One CSV record, with the line where it ends in its file, from 1. */
export interface CsvRecord {
  readonly cells: readonly string[]
  readonly line: number
}

/** The size of the largest body that the service accepts. */
const maxFileBytes = 16 * 1024 * 1024

/**
 * Reads the records of a CSV file, or of stdin for `-`, separated by commas, semicolons or tabs. Throws a usage error
 * when the file cannot be read or is not CSV.
 */
export async function readCsv(host: Host, file: string): Promise<CsvRecord[]> {
  const text = await readFileOrInput(host, file, maxFileBytes)
  const { parse } = await import('csv-parse/sync')
  try {
    const parsed = parse(text, {
      bom: true,
      delimiter: findDelimiter(text),
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
    }) as unknown as { readonly record: string[]; readonly info: { readonly lines: number } }[]
    return parsed.map(({ record, info }) => ({ cells: record, line: info.lines }))
  } catch (error) {
    throw usageFailure(`${file === '-' ? 'The input on stdin' : file} is not valid CSV: ${(error as Error).message}`)
  }
}

/** The known columns of a table; any other column is a variable of that name. */
export interface TableShape {
  /** As spelled in messages; files may use any case. */
  readonly required: readonly string[]
  readonly optional: readonly string[]
  /** An example of the first line, for error messages. */
  readonly example: string
}

/** One row below the first line. */
export interface TableRow {
  /** The line where it ends in its file, from 1. */
  readonly line: number
  /** Returns the cell of a known column, named in lower case; empty if it is missing. */
  cell(name: string): string
  /** The other columns by name. */
  readonly variables: Readonly<Record<string, string>>
  /** Errors in the number of cells. */
  readonly faults: readonly string[]
}

/**
 * Reads the rows of a CSV file, or of stdin for `-`. The first line names the columns. Throws a usage error when the
 * file cannot be read, is not CSV, has no row, or lacks a required column.
 */
export async function readTable(host: Host, file: string, shape: TableShape): Promise<TableRow[]> {
  const [header, ...body] = await readCsv(host, file)
  const names = header?.cells ?? []
  const lowered = names.map((name) => name.toLowerCase())
  for (const name of shape.required) {
    if (lowered.includes(name.toLowerCase())) continue
    throw usageFailure(
      `The first line has no column ${name}.`,
      `The first line names the columns, for example: ${shape.example}`,
    )
  }
  if (body.length === 0) throw usageFailure('There are no rows below the first line.')
  const own = [...shape.required, ...shape.optional].map((name) => name.toLowerCase())
  // Known columns are case-insensitive, variables are case-sensitive.
  const columns = names.map((name, at) => (own.includes(lowered[at] ?? '') ? (lowered[at] ?? '') : name))
  const twice = columns.find((name, at) => name !== '' && columns.indexOf(name) !== at)
  if (twice !== undefined) throw usageFailure(`The first line contains the column ${sanitizeLine(twice)} twice.`)
  return body.map(({ cells, line }) => ({
    line,
    cell: (name) => cells[lowered.indexOf(name)] ?? '',
    variables: Object.fromEntries(
      columns.flatMap((name, at) => (name === '' || own.includes(name) ? [] : [[name, cells[at] ?? ''] as const])),
    ),
    faults: findFaults(columns, cells),
  }))
}

/** Returns the errors in the cells of a row. Spreadsheets leave empty columns without a name; those are ignored. */
function findFaults(columns: readonly string[], cells: readonly string[]): string[] {
  if (cells.length !== columns.length) return [`has ${cells.length} columns, the first line has ${columns.length}`]
  const stray = cells.find((cell, at) => columns[at] === '' && cell !== '')
  return stray === undefined ? [] : [`has ${sanitizeLine(stray)} in a column without a name`]
}

/** Returns a cell as it is shown in messages. */
export function shownCell(text: string): string {
  return text === '' ? 'an empty cell' : sanitizeLine(text)
}

/** Returns the errors in the variables of one row. */
export function variableFaults(variables: Readonly<Record<string, string>>): string[] {
  const { entries, key, value } = limits.variables
  const names = Object.keys(variables)
  return [
    ...(names.length > entries ? [`has ${names.length} variables; the maximum is ${entries}`] : []),
    ...names.filter((name) => name.length > key).map(() => `a variable name is longer than ${key} characters`),
    ...names
      .filter((name) => (variables[name]?.length ?? 0) > value)
      .map((name) => `${shownCell(name)} is longer than ${value} characters`),
  ]
}
