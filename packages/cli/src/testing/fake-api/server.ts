import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** One request as the fake saw it. */
export interface Seen {
  readonly method: string
  /** Without the query. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: IncomingHttpHeaders
  // biome-ignore lint/suspicious/noExplicitAny: a test knows what it has sent.
  readonly body: any
}

/** An answer: a status and a JSON body, or a stream of texts. */
export interface Answer {
  readonly status?: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Server-sent events; the connection stays open behind them. */
  readonly events?: readonly string[]
}

/** What one route answers; `:name` parameters arrive in the order of the path. */
export type Answerer = (seen: Seen, ...parameters: string[]) => Answer

/** Routes by `METHOD /path`. */
export type Routes = Readonly<Record<string, Answerer>>

/** A small service of the test's own. */
export interface FakeServer {
  readonly origin: string
  readonly seen: Seen[]
}

/** An error in the service's envelope. */
export function refusal(status: number, code: string, message: string, details?: unknown): Answer {
  return { status, body: { success: false, error: { code, message, details, requestId } } }
}

const requestId = '0190c1d2-0000-7000-8000-00000000aaaa'

function matcher(route: string): { readonly method: string; readonly pattern: RegExp } {
  const [method = '', path = ''] = route.split(' ')
  return { method, pattern: new RegExp(`^${path.replace(/:\w+/g, '([^/]+)')}$`) }
}

function find(routes: Routes, seen: Seen): Answer {
  for (const [route, answer] of Object.entries(routes)) {
    const { method, pattern } = matcher(route)
    const match = method === seen.method ? pattern.exec(seen.path) : null
    if (match) return answer(seen, ...match.slice(1).map(decodeURIComponent))
  }
  return refusal(404, 'ROUTE_NOT_FOUND', 'No route answers this method and path.')
}

function write(response: ServerResponse, { status = 200, body, headers, events }: Answer): void {
  const type = events ? 'text/event-stream' : 'application/json'
  response.writeHead(status, { 'content-type': type, 'x-request-id': requestId, ...headers })
  if (!events) response.end(JSON.stringify(body))
  for (const event of events ?? []) response.write(event)
}

/** Starts a service that answers from `routes` and remembers what it was asked. It ends with the test. */
export async function fakeServer(routes: Routes): Promise<FakeServer> {
  const seen: Seen[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => {
      text += chunk
    })
    request.on('end', () => {
      const url = new URL(request.url ?? '/', 'http://fake')
      const body = text === '' ? undefined : JSON.parse(text)
      const query = Object.fromEntries(url.searchParams)
      const one = { method: request.method ?? '', path: url.pathname, query, headers: request.headers, body }
      seen.push(one)
      write(response, find(routes, one))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  return { origin: `http://127.0.0.1:${port}`, seen }
}
