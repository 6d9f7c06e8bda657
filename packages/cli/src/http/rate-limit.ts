/** A limit of calls, as the RateLimit headers of an answer tell it. */
export interface Allowance {
  /** Calls in a window. */
  readonly limit: number
  readonly windowSeconds: number
  readonly remaining: number
  /** Seconds until all of them are there again. */
  readonly resetSeconds: number
}

function parameter(header: string | null, name: string): number | undefined {
  const match = new RegExp(`;\\s*${name}=(\\d{1,15})(?![\\d.])`).exec(header ?? '')
  return match ? Number(match[1]) : undefined
}

/**
 * What RateLimit-Policy and RateLimit say (draft-ietf-httpapi-ratelimit-headers), or null when they are not there or not
 * complete.
 */
export function allowanceIn(headers: { get(name: string): string | null }): Allowance | null {
  const policy = headers.get('ratelimit-policy')
  const now = headers.get('ratelimit')
  const [limit, windowSeconds] = [parameter(policy, 'q'), parameter(policy, 'w')]
  const [remaining, resetSeconds] = [parameter(now, 'r'), parameter(now, 't')]
  if (limit === undefined || windowSeconds === undefined || remaining === undefined || resetSeconds === undefined)
    return null
  return { limit, windowSeconds, remaining, resetSeconds }
}
