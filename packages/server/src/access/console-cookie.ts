type Headers = Readonly<Record<string, string | string[] | undefined>>

/** The names of the cookie of the console. Browsers accept the first one only over https, for one host and all paths. */
export const cookieNames = { encrypted: '__Host-msgctl', plain: 'msgctl' } as const

const tokenForm = /^[A-Za-z0-9_-]{1,256}$/

/**
 * Returns whether a request comes from the page of the console itself. A form or a page of another origin cannot send the
 * header without asking first, and there is no CORS to allow it. Browsers name the origin too, over https and on loopback.
 */
export function isFromConsole(headers: Headers): boolean {
  const site = headers['sec-fetch-site']
  return headers['x-requested-by'] === 'console' && (site === undefined || site === 'same-origin')
}

/** Returns the session token in the cookie of the console; undefined without one, and for every other page. */
export function consoleToken(headers: Headers): string | undefined {
  if (!isFromConsole(headers) || typeof headers.cookie !== 'string') return undefined
  const cookies = headers.cookie.split(';').map((pair) => pair.trim())
  for (const name of [cookieNames.encrypted, cookieNames.plain]) {
    const found = cookies.find((pair) => pair.startsWith(`${name}=`))
    const token = found?.slice(name.length + 1) ?? ''
    if (tokenForm.test(token)) return token
  }
  return undefined
}
