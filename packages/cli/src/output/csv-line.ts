import { sanitizeText } from './sanitize.ts'

/** What spreadsheets take for the beginning of a formula. */
const formula = /^[=+\-@\t\r]/

/**
 * One line of CSV by RFC 4180, without its line end. Control characters are dropped, and a value that a spreadsheet would
 * run as a formula gets an apostrophe before it.
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
