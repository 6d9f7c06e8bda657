/** Anything that looks a header up by name without regard to case, such as `Headers`. */
export interface HeaderLookup {
  get(name: string): string | null | undefined
}

/** The request's headers: a `Headers` object, or a plain record with names in any case as Node and Lambda give them. */
export type WebhookHeaders = HeaderLookup | Readonly<Record<string, string | readonly string[] | undefined>>

const canLookUp = (headers: WebhookHeaders): headers is HeaderLookup => typeof headers?.get === 'function'

/**
 * The value of one header, or null when it is absent or empty. Repeated headers are joined by a comma, as HTTP joins
 * them, so that no copy can hide behind another. `name` is in lower case.
 */
export function headerValue(headers: WebhookHeaders, name: string): string | null {
  if (canLookUp(headers)) return headers.get(name) || null
  const values = []
  for (const key of Object.keys(headers ?? {})) {
    if (key.toLowerCase() === name && headers[key]) values.push(headers[key])
  }
  return values.join(',') || null
}
