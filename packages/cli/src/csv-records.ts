import { usageFailure } from './exit-codes.ts'
import { readFileOrInput } from './read-input.ts'
import type { World } from './world.ts'

/** One record of CSV, with the line where it ends in its file, from 1. */
export interface CsvRecord {
  readonly cells: readonly string[]
  readonly line: number
}

/** As large as the largest body that the service takes. */
const maxFileBytes = 16 * 1024 * 1024

/**
 * The records of a CSV file, or of stdin for `-`, with commas, semicolons or tabs. Throws a usage failure when it cannot
 * be read or is no CSV.
 */
export async function readCsv(world: World, file: string): Promise<CsvRecord[]> {
  const text = await readFileOrInput(world, file, maxFileBytes)
  const { parse } = await import('csv-parse/sync')
  try {
    const parsed = parse(text, {
      bom: true,
      delimiter: [',', ';', '\t'],
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
    }) as unknown as { readonly record: string[]; readonly info: { readonly lines: number } }[]
    return parsed.map(({ record, info }) => ({ cells: record, line: info.lines }))
  } catch (error) {
    throw usageFailure(`${file === '-' ? 'What came on stdin' : file} is no CSV: ${(error as Error).message}`)
  }
}
