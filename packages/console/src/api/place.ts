/** The pages that links open lie beside the console, and work without it. */
const linkPage = /^(.*)\/(?:account|connect|approve)$/.exec(location.pathname)
const consolePage = /^(.*?)\/console(?:\/|$)/.exec(location.pathname)

/** Where this page is served: a reverse proxy may add a prefix. */
const prefix = (consolePage ?? linkPage)?.[1] ?? ''

/** The path below which every page of the console lies, with a slash at its end. */
export const consolePath = `${prefix}/console/`

/** The path of the session: each kind of page has one, because the console can be off. */
export const sessionPath = `${prefix}/${consolePage ? 'console' : 'account'}/session`

/** The address of the API. */
export const apiUrl = `${location.origin}${prefix}/api/v1`

/** Returns the path of something that the same service serves beside the API, such as `/docs`. */
export function servicePath(path: string): string {
  return `${prefix}${path}`
}

/** Returns the path of a page of the console: `pagePath('numbers')`. */
export function pagePath(page = ''): string {
  return `${consolePath}${page}`
}
