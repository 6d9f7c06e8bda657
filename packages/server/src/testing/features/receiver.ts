import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { cleanUpAfterFile } from '#testing/cleanup.ts'

/** One request that arrived. */
export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly rawHeaders: string[]
  readonly body: string
}

/** A receiver of webhooks on 127.0.0.1. */
export interface Receiver {
  readonly url: string
  readonly received: Received[]
  /** Resolves when `count` requests have arrived in all. */
  arrived(count: number): Promise<void>
  /** Breaks off the requests that have no response, so that nothing waits for their deadlines. */
  hangUp(): void
}

/**
 * What a receiver does with a request: a status, perhaps late, with headers or a body; `silence`, for ever; or a reset.
 */
export type Reaction =
  | number
  | {
      readonly status: number
      readonly headers?: Record<string, string>
      readonly body?: string | Uint8Array
      readonly afterMs?: number
    }
  | 'silence'
  | 'reset'

/**
 * Starts a receiver (default: on 127.0.0.1). `react` decides by the request and its number, counted from 1. The
 * receiver ends after the tests of the file.
 */
export async function startReceiver(
  react: (request: Received, number: number) => Reaction | Promise<Reaction> = () => 200,
  host = '127.0.0.1',
): Promise<Receiver> {
  const received: Received[] = []
  const waiting = new Set<() => void>()
  const open = new Set<Socket>()
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { url: path = '', headers, rawHeaders } = request
    const one = { path, headers, rawHeaders, body: Buffer.concat(chunks).toString() }
    const number = received.push(one)
    const reaction = react(one, number)
    if (reaction instanceof Promise) void reaction.then((late) => show(late, response))
    else show(reaction, response)
    for (const check of waiting) check()
  })
  server.on('connection', (socket) => open.add(socket.on('close', () => open.delete(socket))))
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  function hangUp(): void {
    for (const socket of open) socket.destroy()
  }
  cleanUpAfterFile(async () => {
    hangUp()
    await new Promise((resolve) => server.close(resolve))
  })
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}/hook`,
    received,
    hangUp,
    arrived: (count) =>
      new Promise((resolve) => {
        const check = () => {
          if (received.length < count) return
          waiting.delete(check)
          resolve()
        }
        waiting.add(check)
        check()
      }),
  }
}

function show(reaction: Reaction, response: ServerResponse): void {
  if (reaction === 'reset') response.req.socket.resetAndDestroy()
  else if (reaction !== 'silence') answer(response, typeof reaction === 'number' ? { status: reaction } : reaction)
}

function answer(response: ServerResponse, reaction: Exclude<Reaction, number | string>): void {
  const { status, headers = {}, body, afterMs = 0 } = reaction
  const write = () => response.writeHead(status, headers).end(body)
  if (afterMs > 0) setTimeout(write, afterMs).unref()
  else write()
}

/** The X-Service-Delivery of a request. */
export function idOf({ headers }: Received): string {
  return String(headers['x-service-delivery'])
}
