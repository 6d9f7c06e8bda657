/** One line of CSV by RFC 4180, without its line end. */
export function csvLine(values: readonly string[]): string {
  return values.map((value) => (/[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)).join(',')
}
