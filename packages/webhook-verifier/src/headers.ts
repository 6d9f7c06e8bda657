/** An object that returns a header by its name in any case, such as `Headers`. */
export interface HeaderLookup {
  get(name: string): string | null | undefined
}

/** The headers of a request: a `Headers` object, or a plain record with names in any case, as in Node.js and Lambda. */
export type WebhookHeaders = HeaderLookup | Readonly<Record<string, string | readonly string[] | undefined>>

const canLookUp = (headers: WebhookHeaders): headers is HeaderLookup => typeof headers?.get === 'function'

/**
 * Returns the value of a header, or null when it is absent, empty or no text. Repeated headers are joined by commas as
 * in HTTP, so that every copy is checked, also where `get` returns a list. `name` is in lower case.
 */
export function headerValue(headers: WebhookHeaders, name: string): string | null {
  const values: unknown[] = canLookUp(headers)
    ? [headers.get(name)]
    : Object.keys(headers ?? {}).map((key) => key.toLowerCase() === name && headers[key])
  const texts = values.flat(9).filter((value) => value && typeof value === 'string')
  return texts.join(',') || null
}
