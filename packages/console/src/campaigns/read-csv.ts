import { findDelimiter } from '@msgctl/contract/csv'
import { nameColumns, type Sheet } from './columns.ts'

/** Reads a CSV file with commas, semicolons or tabs. Throws when it is not one. */
export async function readCsv(name: string, text: string): Promise<Sheet> {
  const { dsvFormat } = await import('d3-dsv')
  const content = text.replace(/^\uFEFF/, '')
  if (content.includes('\0')) throw new Error('not a text')
  const [header = [], ...rows] = dsvFormat(findDelimiter(content))
    .parseRows(content)
    .map((cells) => cells.map((cell) => cell.trim()))
    .filter((cells) => cells.some((cell) => cell !== ''))
  return { name, columns: nameColumns(header), rows }
}
