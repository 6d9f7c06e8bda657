import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** One received request. */
export interface Received {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** Resolves when the client's side of the connection is gone. */
  readonly closed: Promise<void>
}

/** Responds to one request of the script. */
export type Answer = (response: ServerResponse, request: Received) => void | Promise<void>

/** An HTTP server on loopback that responds to each request by its script. The last entry repeats. */
export interface ScriptedServer {
  /** Ends with /api/v1. */
  readonly baseUrl: string
  readonly requests: Received[]
  /** Resolves when this many requests have arrived. */
  arrived(count: number): Promise<void>
}

async function receive(request: IncomingMessage, response: ServerResponse): Promise<Received> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const url = new URL(request.url ?? '/', 'http://loopback')
  return {
    method: request.method ?? '',
    path: url.pathname.replace(/^\/api\/v1/, ''),
    query: url.searchParams,
    headers: request.headers,
    body: Buffer.concat(chunks).toString(),
    closed: new Promise((resolve) => response.on('close', resolve)),
  }
}

/** Starts a scripted server that closes when the test has finished. */
export async function serve(...script: Answer[]): Promise<ScriptedServer> {
  const requests: Received[] = []
  const waiting: { readonly count: number; readonly resolve: () => void }[] = []
  const server = createServer(async (request, response) => {
    const answer = script[Math.min(requests.length, script.length - 1)]
    const received = await receive(request, response)
    requests.push(received)
    for (const each of waiting) if (requests.length >= each.count) each.resolve()
    await answer?.(response, received)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`,
    requests,
    arrived: (count) =>
      new Promise((resolve) => (requests.length >= count ? resolve() : waiting.push({ count, resolve }))),
  }
}

/** Returns a loopback port without a listener. */
export async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Responds with JSON. */
export function json(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'req-1', ...headers })
    response.end(JSON.stringify(body))
  }
}

/** Responds with an error of the service. */
export function failure(
  status: number,
  code: string,
  details?: Record<string, unknown>,
  headers: Record<string, string> = {},
): Answer {
  const error = { code, message: `It is ${code}.`, details, requestId: 'req-1' }
  return json(status, { success: false, error }, headers)
}

/** Responds like `inner` and echoes the Idempotency-Key, like a server that honours it. */
export function echoing(inner: Answer): Answer {
  return (response, request) => {
    response.setHeader('idempotency-key', request.headers['idempotency-key'] ?? '')
    return inner(response, request)
  }
}

/** Closes the connection without a response. */
export const reset: Answer = (response) => {
  response.socket?.destroy()
}

/** Never responds. */
export const hang: Answer = () => {}

/** Streams events like the service; `then` runs after they are written, for example to close the connection. */
export function stream(text: string, then: (response: ServerResponse) => void = () => {}): Answer {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.flushHeaders()
    response.write(text, () => then(response))
  }
}
