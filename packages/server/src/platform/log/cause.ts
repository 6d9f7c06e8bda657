/**
 * Returns the innermost cause of an error as `CODE: message`, for a log line that needs no stack. At most 300
 * characters.
 */
export function causeOf(error: unknown): string {
  let found: unknown = error
  for (let depth = 0; depth < 5 && found instanceof Error && found.cause instanceof Error; depth += 1) {
    found = found.cause
  }
  if (!(found instanceof Error)) return String(found).slice(0, 300)
  const { code } = found as NodeJS.ErrnoException
  const isKnown = typeof code === 'string' && !found.message.includes(code)
  return `${isKnown ? `${code}: ` : ''}${found.message}`.slice(0, 300)
}
