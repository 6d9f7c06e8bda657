import { EventEmitter } from 'node:events'
import type { ClientRequest } from 'node:http'
import type { Agent } from 'node:https'
import type { Socket } from 'node:net'
import { HttpsProxyAgent } from 'https-proxy-agent'
import { SocksProxyAgent } from 'socks-proxy-agent'
import { type Dispatcher, Agent as FetchAgent } from 'undici'

/** How the library reaches the network through a proxy: its connection and uploads one way, downloads another. */
export interface ProxyWays {
  readonly agent: Agent
  readonly dispatcher: Dispatcher
}

/** Returns the ways through a proxy. The proxy resolves host names, so that no query leaves from this machine. */
export function proxyWays(address: string): ProxyWays {
  // No timeouts: the agents apply them to connections that are silent, too.
  const agent = /^socks/.test(address)
    ? new SocksProxyAgent(address.replace(/^socks5:/, 'socks5h:').replace(/^socks4:/, 'socks4a:'))
    : new HttpsProxyAgent(address)
  const dispatcher = new FetchAgent({
    connect({ hostname, port, protocol, servername }, callback) {
      const secureEndpoint = protocol === 'https:'
      const target = { host: hostname, port: Number(port || (secureEndpoint ? 443 : 80)), secureEndpoint, servername }
      connectBy(agent, target).then(
        (socket) => callback(null, socket),
        (error: Error) => callback(error, null),
      )
    },
  })
  return { agent, dispatcher }
}

type Target = { host: string; port: number; secureEndpoint: boolean; servername: string | undefined }

/** Connects through an agent without a request of node:http, which fetch does not have. */
function connectBy(agent: SocksProxyAgent | HttpsProxyAgent<string>, target: Target): Promise<Socket> {
  const request = Object.assign(new EventEmitter(), { destroy: () => undefined })
  return agent.connect(request as unknown as ClientRequest, target as Parameters<typeof agent.connect>[1])
}
