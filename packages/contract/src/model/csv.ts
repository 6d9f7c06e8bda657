/** The supported delimiters. Of two equally frequent ones the first wins, because texts and numbers contain commas. */
const delimiters = ['\t', ';', ','] as const

/** Returns the most frequent delimiter outside of quotes in the first line that is not empty; a comma where none is. */
export function findDelimiter(text: string): string {
  const [line = ''] = /[^\r\n\ufeff]+/.exec(text.replace(/"[^"]*"?/g, '"')) ?? []
  const parts = delimiters.map((each) => line.split(each).length)
  const most = Math.max(...parts)
  return most === 1 ? ',' : (delimiters[parts.indexOf(most)] ?? ',')
}

/**
 * Returns a cell of CSV by RFC 4180. A cell that a spreadsheet would run as a formula gets an apostrophe before it.
 */
export function csvCell(value: string): string {
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
