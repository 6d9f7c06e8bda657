// The edge of /mcp with the suite's own tools behind it, in a service of its own.
import Koa from 'koa'
import { linkedNumbers, load, withService } from '../../bench/support/harness.mjs'
import { fixedServer } from './fixed-tools.mjs'
import { startProxy } from './service.mjs'

/** An AI client may make 120 requests a minute: the proxy uses many keys, one after the other. */
const keyCount = 20

/** Runs `work` with the address of the edge, behind a proxy that adds keys. Returns what `work` returned. */
export async function withFixedTools(work) {
  const modules = [
    'api/http/response',
    'api/http/error-envelope',
    'api/http/client-ip',
    'api/http/body/address-limit',
    'api/http/listen',
    'ai-clients/mcp/endpoint',
    'ai-clients/mcp/protocol',
    'process/handlers',
    'api/access/key',
  ]
  const [response, envelope, ip, addresses, http, endpoint, protocol, process, key] = await Promise.all(
    modules.map((name) => load(name)),
  )
  let result
  await withService({ SIM_SPEED: '0', SIM_AUTOLINK: '1', PORT: '0', HOST: '127.0.0.1' }, async ({ services, db }) => {
    const keys = []
    for (let n = 0; n < keyCount; n += 1) {
      const { organizationId } = await linkedNumbers({ services, db }, 1)
      keys.push((await key.firstKey(db, organizationId, null)).apiKey)
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
      result = await work(proxy.url)
    } finally {
      proxy.stop()
      await server.stop()
    }
  })
  return result
}
