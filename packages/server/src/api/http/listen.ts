import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type Koa from 'koa'
import { type Connections, followConnections } from './connections.ts'
import { maxHeaderBytes, refuseMalformed } from './malformed.ts'

/** An application that can be stopped: {@link listen} aborts `drain` first. */
export interface DrainableApp extends Koa {
  readonly drain: AbortController
}

/** A listening server. */
export interface HttpServer {
  /** Like `http://127.0.0.1:3000`, with the actual port. */
  readonly address: string
  readonly port: number
  /** Makes readiness fail and ends streams; requests are still accepted until {@link stop}. */
  drain(): void
  /**
   * Refuses new requests, ends streams, lets responses finish, and resolves when the last connection is closed, after
   * `withinMs` (default: 22,000 ms) at the latest. Later calls return the same promise.
   */
  stop(withinMs?: number): Promise<void>
}

const headersTimeoutMs = 15_000
/** What a request may take beside its body, which has a time of its own. */
const requestMarginMs = 30_000
const usualBodySeconds = 30
/** Longer than the idle time of usual proxies, so that the proxy closes a connection. */
const keepAliveTimeoutMs = 65_000
const stopWithinMs = 22_000

/** Listens at `config.host` and `config.port` (0: any free port). Rejects when the address cannot be used. */
export async function listen(
  app: DrainableApp,
  config: { host: string; port: number; bodyTimeoutSeconds?: number },
): Promise<HttpServer> {
  const server = createServer({
    maxHeaderSize: maxHeaderBytes,
    headersTimeout: headersTimeoutMs,
    requestTimeout: (config.bodyTimeoutSeconds ?? usualBodySeconds) * 1000 + requestMarginMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    connectionsCheckingInterval: 5000,
    // A request without Host would otherwise be refused before it gets its X-Request-Id; nothing here reads Host.
    requireHostHeader: false,
  })
  const connections = followConnections(server)
  const handle = connections.counted(app.callback())
  server.on('request', handle)
  // Likewise an Expect that Node does not know; only 100-continue has a meaning, and Node responds to it.
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
