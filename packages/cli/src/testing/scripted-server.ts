import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import type { AtEnd } from './machine.ts'

/** One request that arrived at a server of a test. */
export interface Seen {
  readonly method: string
  /** Without the query. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: IncomingHttpHeaders
  // biome-ignore lint/suspicious/noExplicitAny: a test knows what it has sent.
  readonly body: any
}

/** A scripted response: a status and a JSON body, or a stream of texts. */
export interface ScriptedResponse {
  readonly status?: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Server-sent events; the connection stays open behind them. */
  readonly events?: readonly string[]
}

/** Makes the response of one route; `:name` parameters arrive in the order of the path. */
type Responder = (seen: Seen, ...parameters: string[]) => ScriptedResponse

/** Routes by `METHOD /path`. */
export type Routes = Readonly<Record<string, Responder>>

/** An HTTP server whose responses a test writes itself, for what the service does not do on demand. */
export interface ScriptedServer {
  readonly origin: string
  /** Every request, in the order of arrival. */
  readonly seen: Seen[]
}

/** Returns an error in the envelope of the API. */
export function refusal(status: number, code: string, message: string, details?: unknown): ScriptedResponse {
  return { status, body: { success: false, error: { code, message, details, requestId } } }
}

const requestId = '0190c1d2-0000-7000-8000-00000000aaaa'

function matcher(route: string): { readonly method: string; readonly pattern: RegExp } {
  const [method = '', path = ''] = route.split(' ')
  return { method, pattern: new RegExp(`^${path.replace(/:\w+/g, '([^/]+)')}$`) }
}

/** Returns the scripted response to a request, undefined when no route matches. */
export function scriptedResponse(routes: Routes, seen: Seen): ScriptedResponse | undefined {
  for (const [route, respond] of Object.entries(routes)) {
    const { method, pattern } = matcher(route)
    const match = method === seen.method ? pattern.exec(seen.path) : null
    if (match) return respond(seen, ...match.slice(1).map(decodeURIComponent))
  }
  return undefined
}

/** Writes a scripted response. */
export function writeResponse(
  response: ServerResponse,
  { status = 200, body, headers, events }: ScriptedResponse,
): void {
  const type = events ? 'text/event-stream' : 'application/json'
  response.writeHead(status, { 'content-type': type, 'x-request-id': requestId, ...headers })
  if (!events) response.end(JSON.stringify(body))
  for (const event of events ?? []) response.write(event)
}

/** Reads one request whole. */
export async function readRequest(request: IncomingMessage): Promise<Seen & { readonly bytes: Buffer }> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const bytes = Buffer.concat(chunks)
  const isJson = request.headers['content-type']?.startsWith('application/json')
  const url = new URL(request.url ?? '/', 'http://scripted')
  const body = isJson && bytes.length > 0 ? JSON.parse(bytes.toString()) : undefined
  const query = Object.fromEntries(url.searchParams)
  return { method: request.method ?? '', path: url.pathname, query, headers: request.headers, body, bytes }
}

/** Listens on a port of its own until the test is over, or `atEnd` says so; resolves to the origin. */
export async function listenForTest(listener: RequestListener, atEnd: AtEnd = onTestFinished): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atEnd(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Starts a server that responds as `routes` say and remembers the requests. It ends with the test. */
export async function scriptedServer(routes: Routes): Promise<ScriptedServer> {
  const seen: Seen[] = []
  const origin = await listenForTest(async (request, response) => {
    const one = await readRequest(request)
    seen.push(one)
    const missing = refusal(404, 'ROUTE_NOT_FOUND', 'There is no such route.')
    writeResponse(response, scriptedResponse(routes, one) ?? missing)
  })
  return { origin, seen }
}
