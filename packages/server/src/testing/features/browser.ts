import type { TestServer } from '#testing/start-server.ts'

/** The headers with which a browser sends a request of the page of the console itself. */
export const ofConsole = { 'x-requested-by': 'console', 'sec-fetch-site': 'same-origin' }

/** A response with its body. */
interface Seen {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of any shape
  readonly body: any
}

/** A browser that keeps the cookies of one host. */
export interface Browser {
  /** The cookies at present, by name. */
  readonly cookies: ReadonlyMap<string, string>
  /** Makes a call, by default as the page of the console does. */
  call(method: string, path: string, request?: { body?: unknown; headers?: Record<string, string> }): Promise<Seen>
}

/** Starts a browser without cookies. `origin` is the address that its pages were loaded from. */
export function openBrowser({ address }: Pick<TestServer, 'address'>, origin = address): Browser {
  const cookies = new Map<string, string>()
  return {
    cookies,
    async call(method, path, { body, headers = ofConsole } = {}) {
      const response = await fetch(address + path, {
        method,
        headers: {
          ...(cookies.size > 0 && { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') }),
          ...(method !== 'GET' && { origin }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      for (const line of response.headers.getSetCookie()) keep(cookies, line)
      return { status: response.status, headers: response.headers, body: await response.json() }
    },
  }
}

function keep(cookies: Map<string, string>, line: string): void {
  const [pair = '', ...attributes] = line.split('; ')
  const [name = '', value = ''] = pair.split('=')
  if (attributes.includes('Max-Age=0')) cookies.delete(name)
  else cookies.set(name, value)
}
