import { usageFailure } from '../errors/exit-codes.ts'
import type { Host } from '../host.ts'
import { readFileOrInput } from './read-input.ts'

/** One record of CSV, with the line where it ends in its file, from 1. */
export interface CsvRecord {
  readonly cells: readonly string[]
  readonly line: number
}

/** As large as the largest body that the service takes. */
const maxFileBytes = 16 * 1024 * 1024

/** What may stand between cells. Of two that are equally frequent the first counts: texts and numbers hold commas. */
const delimiters = ['\t', ';', ','] as const

/** What stands between the cells: the most frequent one in the first line that is not empty, outside of quotes. */
function delimiterOf(text: string): string {
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
 * The records of a CSV file, or of stdin for `-`, divided by commas, semicolons or tabs. Throws a usage failure when it
 * cannot be read or is no CSV.
 */
export async function readCsv(host: Host, file: string): Promise<CsvRecord[]> {
  const text = await readFileOrInput(host, file, maxFileBytes)
  const { parse } = await import('csv-parse/sync')
  try {
    const parsed = parse(text, {
      bom: true,
      delimiter: delimiterOf(text),
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
