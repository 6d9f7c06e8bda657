type Headers = Readonly<Record<string, string | string[] | undefined>>

/**
 * The names of the cookie of the console. Browsers accept the first one only over https, for one host and all paths.
 */
export const cookieNames = { encrypted: '__Host-msgctl', plain: 'msgctl' } as const

const tokenForm = /^[A-Za-z0-9_-]{1,256}$/

/** What the page of the console sends as X-Requested-By, which names how it was loaded. */
const pages = { plain: 'console', encrypted: 'console-https' } as const

/**
 * Returns whether a request comes from the page of the console itself. A form or a page of another origin cannot send
 * the header without asking first, and there is no CORS to allow it. Browsers name the origin too, over https and on
 * loopback.
 */
export function isFromConsole(headers: Headers): boolean {
  const site = headers['sec-fetch-site']
  const page = headers['x-requested-by']
  return (page === pages.plain || page === pages.encrypted) && (site === undefined || site === 'same-origin')
}

/** Returns whether the page was loaded over https: it says so, or its browser does in Origin, which few reads have. */
function isEncrypted(headers: Headers): boolean {
  return headers['x-requested-by'] === pages.encrypted || String(headers.origin).startsWith('https:')
}

/**
 * Returns the session token in the cookie of the console; undefined without one, and for every other page. A page that
 * was loaded over https has no cookie with the plain name: a sibling of its host could have planted it.
 */
export function consoleToken(headers: Headers): string | undefined {
  if (!isFromConsole(headers) || typeof headers.cookie !== 'string') return undefined
  const cookies = headers.cookie.split(';').map((pair) => pair.trim())
  const read = (name: string) => cookies.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1)
  // Browsers send the first one over https only.
  const token = read(cookieNames.encrypted) ?? (isEncrypted(headers) ? undefined : read(cookieNames.plain))
  return token !== undefined && tokenForm.test(token) ? token : undefined
}
