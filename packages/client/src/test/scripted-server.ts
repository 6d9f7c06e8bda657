import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** One request as it arrived. */
export interface Received {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** Resolves when the client's side of the connection is gone. */
  readonly closed: Promise<void>
}

/** Answers one request of the script. */
export type Answer = (response: ServerResponse, request: Received) => void | Promise<void>

/** A real HTTP server on loopback that answers request after request as its script says; the last line repeats. */
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

/** A port of loopback that nothing listens on. */
export async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** A JSON answer. */
export function json(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'req-1', ...headers })
    response.end(JSON.stringify(body))
  }
}

/** The service's error envelope. */
export function failure(
  status: number,
  code: string,
  details?: Record<string, unknown>,
  headers: Record<string, string> = {},
): Answer {
  const error = { code, message: `It is ${code}.`, details, requestId: 'req-1' }
  return json(status, { success: false, error }, headers)
}

/** The answer of `inner`, with the Idempotency-Key echoed as a server does that honours it. */
export function echoing(inner: Answer): Answer {
  return (response, request) => {
    response.setHeader('idempotency-key', request.headers['idempotency-key'] ?? '')
    return inner(response, request)
  }
}

/** Cuts the connection without an answer. */
export const reset: Answer = (response) => {
  response.socket?.destroy()
}

/** Never answers. */
export const hang: Answer = () => {}

/** Events as the service streams them; `then` runs when they are written, and may cut or end. */
export function stream(text: string, then: (response: ServerResponse) => void = () => {}): Answer {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.flushHeaders()
    response.write(text, () => then(response))
  }
}
