import { sanitizeText } from './sanitize.ts'

/** The characters that start a formula in a spreadsheet. */
const formula = /^[=+\-@\t\r]/

/**
 * Returns one line of CSV by RFC 4180, without its line end. Removes control characters, and puts an apostrophe before a
 * value that a spreadsheet would run as a formula.
 */
export function csvLine(values: readonly string[]): string {
  return values
    .map(harmless)
    .map((value) => (/[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value))
    .join(',')
}

function harmless(value: string): string {
  const text = sanitizeText(value)
  return formula.test(value) || formula.test(text) ? `'${text}` : text
}
