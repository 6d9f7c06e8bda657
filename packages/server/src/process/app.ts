import { setMaxListeners } from 'node:events'
import { contract } from '@msgctl/contract'
import Koa from 'koa'
import { mcpEndpoint } from '#ai-clients/mcp/endpoint.ts'
import { oauthEndpoint } from '#ai-clients/oauth/endpoint.ts'
import { recordRequest } from '#api/http/access-log.ts'
import { limitAddresses } from '#api/http/body/address-limit.ts'
import { drainUnreadBody } from '#api/http/body.ts'
import { clientIp } from '#api/http/client-ip.ts'
import { deadline } from '#api/http/deadline.ts'
import { errorEnvelope } from '#api/http/error-envelope.ts'
import { health, type WorkerHealth } from '#api/http/health.ts'
import type { DrainableApp } from '#api/http/listen.ts'
import { metrics } from '#api/http/metrics-route.ts'
import { type HandlerTable, mount } from '#api/http/mount.ts'
import { requestId } from '#api/http/response.ts'
import { securityHeaders } from '#api/http/security-headers.ts'
import type { RequestState } from '#api/http/state.ts'
import type { Services } from '#services.ts'
import { consolePage } from '#web/console/page.ts'
import { pageSession } from '#web/console/session.ts'
import { docs } from '#web/docs/page.ts'
import { linkPages } from '#web/pages/pages.ts'

export type { WorkerHealth } from '#api/http/health.ts'
export { type HttpServer, listen } from '#api/http/listen.ts'

/** How one application differs from another. */
export interface AppOptions extends WorkerHealth {
  /** Responds with 500 where a handler violates the contract, for tests; otherwise the violation is only logged. */
  readonly strict?: boolean
  /**
   * How long a body may take to arrive, and how long the rest of a refused one is discarded (default:
   * BODY_TIMEOUT_SECONDS).
   */
  readonly bodyTimeoutMs?: number
  /** How long the work of a request may take before it is given up (default: 100 s). */
  readonly workMs?: number
}

/**
 * Joins the edge and the handlers. Further middleware may be added with `use`; it gets the requests that no route of
 * the API matches. Throws an Error when an entry of `config.trustedProxies` is no address.
 */
export function createApp(services: Services, handlers: HandlerTable, options: AppOptions = {}): DrainableApp {
  const drain = new AbortController()
  // Every open stream has a listener.
  setMaxListeners(0, drain.signal)
  const bodyTimeoutMs = options.bodyTimeoutMs ?? services.config.bodyTimeoutSeconds * 1000
  const app = Object.assign(new Koa<RequestState>(), { drain })
  app.on('error', (error: Error) =>
    services.log.debug({ event: 'response_write_failed', err: error }, 'failed to write a response'),
  )
  app.use(requestId)
  app.use(recordRequest(services))
  app.use(drainUnreadBody(bodyTimeoutMs))
  app.use(closeWhenDraining(drain.signal))
  app.use(securityHeaders())
  app.use(errorEnvelope(services.log))
  app.use(deadline(services.log, { bodyTimeoutMs, workMs: options.workMs }))
  const serveOptions = {
    services,
    strict: options.strict ?? false,
    bodyTimeoutMs,
    clientIp: clientIp(services.config.trustedProxies),
    limitAddress: limitAddresses(),
    draining: drain.signal,
  }
  const api = mount(contract, handlers, serveOptions)
  // First, because nearly every request is for the contract: only the rest is compared with the other paths.
  app.use(api)
  app.use(mcpEndpoint(handlers, serveOptions))
  app.use(oauthEndpoint(serveOptions))
  app.use(health(services, { ...options, draining: drain.signal }))
  app.use(docs())
  app.use(pageSession(services, api, '/account/session'))
  app.use(linkPages())
  if (services.config.console.enabled) {
    app.use(pageSession(services, api, '/console/session'))
    app.use(consolePage())
  }
  return app
}

/**
 * Creates the application for the operator's tools, on a port that the public does not reach: /metrics and the probes.
 * A process that is a worker only has them nowhere else. Abort `drain` before stopping it.
 */
export function createOperationsApp(
  services: Services,
  options: WorkerHealth & { readonly scrape: () => Promise<{ type: string; body: string }> },
): DrainableApp {
  const drain = new AbortController()
  const app = Object.assign(new Koa<RequestState>(), { drain })
  app.on('error', (error: Error) =>
    services.log.debug({ event: 'probe_write_failed', err: error }, 'failed to write the response to a probe'),
  )
  app.use(requestId)
  app.use(errorEnvelope(services.log))
  app.use(health(services, { ...options, draining: drain.signal }))
  app.use(metrics(options.scrape))
  return app
}

/** Asks callers of a stopping server to close their connections. */
function closeWhenDraining(draining: AbortSignal): Koa.Middleware<RequestState> {
  return async (ctx, next) => {
    await next()
    if (draining.aborted && !ctx.headerSent) ctx.set('Connection', 'close')
  }
}
