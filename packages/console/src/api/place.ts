/** Where this page is served: a reverse proxy may add a prefix to /console. */
const prefix = /^(.*?)\/console(?:\/|$)/.exec(location.pathname)?.[1] ?? ''

/** The path below which every page of the console lies, with a slash at its end. */
export const consolePath = `${prefix}/console/`

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
