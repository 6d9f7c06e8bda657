import { usageFailure } from '../errors/exit-codes.ts'
import type { Host } from '../host.ts'
import { readFileOrInput } from './read-input.ts'

/** One CSV record, with the line where it ends in its file, from 1. */
export interface CsvRecord {
  readonly cells: readonly string[]
  readonly line: number
}

/** The size of the largest body that the service accepts. */
const maxFileBytes = 16 * 1024 * 1024

/** The supported delimiters. Of two equally frequent ones the first wins, because texts and numbers contain commas. */
const delimiters = ['\t', ';', ','] as const

/** Returns the most frequent delimiter outside of quotes in the first line that is not empty. */
function detectDelimiter(text: string): string {
  const counts = { '\t': 0, ';': 0, ',': 0 }
  let isQuoted = false
  let hasBegun = false
  for (const character of text) {
    const ends = !isQuoted && (character === '\n' || character === '\r')
    if (ends && hasBegun) break
    hasBegun ||= !ends && character !== '\ufeff'
    if (character === '"') isQuoted = !isQuoted
    const delimiter = isQuoted ? undefined : delimiters.find((each) => each === character)
    if (delimiter !== undefined) counts[delimiter] += 1
  }
  const most = Math.max(...Object.values(counts))
  return most === 0 ? ',' : (delimiters.find((each) => counts[each] === most) ?? ',')
}

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
      delimiter: detectDelimiter(text),
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
