import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type Koa from 'koa'
import { type Connections, followConnections } from './connections.ts'
import { maxHeaderBytes, refuseMalformed } from './malformed.ts'

/** An application that can be told to stop: {@link listen} aborts `drain` first. */
export interface DrainableApp extends Koa {
  readonly drain: AbortController
}

/** A listening server. */
export interface HttpServer {
  /** Like `http://127.0.0.1:3000`, with the port that was really taken. */
  readonly address: string
  readonly port: number
  /** Makes readiness say no and ends streams; requests are still taken until {@link stop}. */
  drain(): void
  /**
   * Says no to new requests, ends streams, lets running answers finish, and resolves when the last connection is closed,
   * after `withinMs` (22,000 ms unless told) at the latest. Any call after the first gets the same promise.
   */
  stop(withinMs?: number): Promise<void>
}

const headersTimeoutMs = 15_000
/** The whole request, body included; the body alone has a shorter time of its own. */
const requestTimeoutMs = 60_000
/** Longer than the idle time of usual proxies, so that it is they who close a connection. */
const keepAliveTimeoutMs = 65_000
const stopWithinMs = 22_000

/** Listens at `config.host` and `config.port` (0 takes any free one). Rejects when the address cannot be taken. */
export async function listen(app: DrainableApp, config: { host: string; port: number }): Promise<HttpServer> {
  const server = createServer({
    maxHeaderSize: maxHeaderBytes,
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    connectionsCheckingInterval: 5000,
    // A request without Host would otherwise be refused before it gets its X-Request-Id; nothing here reads Host.
    requireHostHeader: false,
  })
  const connections = followConnections(server)
  const handle = connections.counted(app.callback())
  server.on('request', handle)
  // Likewise an Expect that Node does not know; only 100-continue has a meaning, and Node answers that itself.
  server.on('checkExpectation', handle)
  server.on('clientError', refuseMalformed)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(config.port, config.host, resolve)
  })
  const { port } = server.address() as AddressInfo
  const host = config.host.includes(':') ? `[${config.host}]` : config.host
  let stopped: Promise<void> | undefined
  return {
    address: `http://${host}:${port}`,
    port,
    drain: () => app.drain.abort(),
    stop(withinMs = stopWithinMs) {
      stopped ??= stop(server, connections, app.drain, withinMs)
      return stopped
    },
  }
}

async function stop(server: Server, connections: Connections, drain: AbortController, withinMs: number): Promise<void> {
  drain.abort()
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  connections.closeWhenIdle()
  const late = setTimeout(() => server.closeAllConnections(), withinMs)
  await closed
  clearTimeout(late)
}
