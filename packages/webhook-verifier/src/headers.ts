/** An object that returns a header by its name in any case, such as `Headers`. */
export interface HeaderLookup {
  get(name: string): string | null | undefined
}

/** The headers of a request: a `Headers` object, or a plain record with names in any case, as in Node.js and Lambda. */
export type WebhookHeaders = HeaderLookup | Readonly<Record<string, string | readonly string[] | undefined>>

const canLookUp = (headers: WebhookHeaders): headers is HeaderLookup => typeof headers?.get === 'function'

/**
 * Returns the value of a header, or null when it is absent or empty. Repeated headers are joined by commas as in HTTP, so
 * that every copy is checked. `name` is in lower case.
 */
export function headerValue(headers: WebhookHeaders, name: string): string | null {
  if (canLookUp(headers)) return headers.get(name) || null
  const values = []
  for (const key of Object.keys(headers ?? {})) {
    if (key.toLowerCase() === name && headers[key]) values.push(headers[key])
  }
  return values.join(',') || null
}
