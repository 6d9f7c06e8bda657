// The edge of /mcp with the suite's own tools behind it, in a service of its own.
import Koa from 'koa'
import { linkedNumbers, withService } from '../../bench/support/harness.mjs'
import { fixedServer } from './fixed-tools.mjs'
import { startProxy } from './service.mjs'

/** @import { Db } from '@msgctl/server/platform/db/db' */
/** @import { Services } from '@msgctl/server/services' */

/** An AI client may make 120 requests a minute: the proxy uses many keys, one after the other. */
const keyCount = 20

/**
 * Runs `work` with the address of the edge, behind a proxy that adds keys. Returns what `work` returned.
 *
 * @template T
 * @param {(url: string) => Promise<T>} work
 */
export async function withFixedTools(work) {
  // They are there once the service is built.
  const [response, envelope, ip, addresses, http, endpoint, protocol, process, key] = await Promise.all([
    import('@msgctl/server/api/http/response'),
    import('@msgctl/server/api/http/error-envelope'),
    import('@msgctl/server/api/http/client-ip'),
    import('@msgctl/server/api/http/body/address-limit'),
    import('@msgctl/server/api/http/listen'),
    import('@msgctl/server/ai-clients/mcp/endpoint'),
    import('@msgctl/server/ai-clients/mcp/protocol'),
    import('@msgctl/server/process/handlers'),
    import('@msgctl/server/api/access/key'),
  ])
  /** @type {T[]} */
  const results = []
  /** @param {{ services: Services, db: Db }} harness */
  const serve = async ({ services, db }) => {
    const keys = []
    for (let n = 0; n < keyCount; n += 1) {
      const { organizationId } = await linkedNumbers({ services, db }, 1)
      const made = await key.firstKey(db, organizationId, null)
      if (made === null) throw new Error('The organization has a key already')
      keys.push(made.apiKey)
    }
    const drain = new AbortController()
    const app = Object.assign(new Koa(), { drain })
    const options = {
      services,
      strict: true,
      bodyTimeoutMs: 30_000,
      clientIp: ip.clientIp([]),
      limitAddress: addresses.limitAddresses(),
      draining: drain.signal,
    }
    app.use(response.requestId)
    app.use(envelope.errorEnvelope(services.log))
    app.use(endpoint.mcpEndpoint(process.handlers, options, protocol.protocolOf(fixedServer)))
    const server = await http.listen(app, services.config)
    const proxy = await startProxy({ address: server.address, keys })
    try {
      results.push(await work(proxy.url))
    } finally {
      proxy.stop()
      await server.stop()
    }
  }
  await withService({ SIM_SPEED: '0', SIM_AUTOLINK: '1', PORT: '0', HOST: '127.0.0.1' }, serve)
  return /** @type {T} */ (results[0])
}
