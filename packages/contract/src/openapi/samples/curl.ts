import type { Sampled } from './samples.ts'

/** Quotes a text for a POSIX shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

function credentials({ route }: Sampled): string[] {
  if (route.access.keys === 'public') return []
  return route.access.keys === 'none' ? ['-H "Authorization: Bearer $MSG_TOKEN"'] : ['-H "X-API-Key: $MSG_API_KEY"']
}

/**
 * Returns the call as a line of curl, with the address and the key in the variables that the client and msgctl read.
 */
export function curlSample(sampled: Sampled): string {
  const { method, path, query, body, route } = sampled
  const search = Object.entries(query)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value)).replaceAll('%2C', ',')}`)
    .join('&')
  const address = `"$MSG_BASE_URL${path}${search && `?${search}`}"`
  const parts = [
    `curl ${route.stream ? '-N ' : ''}${method === 'GET' ? '' : `-X ${method} `}${address}`,
    ...credentials(sampled),
    ...(route.idempotent ? ['-H "Idempotency-Key: $(uuidgen)"'] : []),
    ...(body ? ["-H 'Content-Type: application/json'", `-d ${quote(JSON.stringify(body, null, 2))}`] : []),
  ]
  return parts.join(' \\\n  ')
}
