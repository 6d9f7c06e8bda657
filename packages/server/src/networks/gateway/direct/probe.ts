import type { NetworkProbe } from '@msgctl/network/calls'
import { GatewayError } from '@msgctl/network/errors'
import { maskProxy, proxyLocation } from '@msgctl/network/proxy-address'
import type { Secrets } from '@msgctl/network/secrets'
import type { Db } from '#platform/db/db.ts'
import { HostClient, machineMs } from './host-client.ts'
import { listGatewayHosts, listProxies } from './operator-store.ts'
import { findHostUrl } from './store.ts'

/** The way of a gateway host, or of one of its numbers through a proxy, to the network. */
export interface ProbedWay {
  /** The address of the host, or of the proxy without its password. */
  readonly name: string
  /** What the host saw, or why it was not asked or did not respond. */
  readonly probe: NetworkProbe | string
}

/** A host has limits of its own; this is longer. */
const timeoutMs = 30_000
/** Proxies are tried a few at a time: each try is a connection to the network. */
const mostAtOnce = 4

/** Lets each gateway host that runs try its way to the network, and one number of each proxy that way. */
export async function probeWays(db: Db, secrets: Secrets): Promise<ProbedWay[]> {
  const hosts = (await listGatewayHosts(db)).filter(({ isAlive }) => isAlive)
  const ofHosts = await Promise.all(hosts.map(async ({ url }) => ({ name: url, probe: await probe(secrets, url, '') })))
  return [...ofHosts, ...(await probeProxies(db, secrets))]
}

async function probeProxies(db: Db, secrets: Secrets): Promise<ProbedWay[]> {
  const numbers = new Map<string, string>()
  for (const { containerId, sealedProxy } of await listProxies(db)) {
    const address = open(secrets, containerId, sealedProxy)
    if (address !== null && !numbers.has(address)) numbers.set(address, containerId)
  }
  const proxies = [...numbers]
  const ways: ProbedWay[] = []
  for (let from = 0; from < proxies.length; from += mostAtOnce) {
    const some = proxies.slice(from, from + mostAtOnce)
    ways.push(...(await Promise.all(some.map(([address, id]) => probeProxy(db, secrets, { address, id })))))
  }
  return ways
}

async function probeProxy(
  db: Db,
  secrets: Secrets,
  { address, id }: { readonly address: string; readonly id: string },
): Promise<ProbedWay> {
  const url = await findHostUrl(db, id)
  const name = maskProxy(address)
  if (url === null) return { name, probe: 'No gateway host connects a number through it now.' }
  return { name, probe: await probe(secrets, url, id) }
}

function open(secrets: Secrets, containerId: string, sealedProxy: string): string | null {
  try {
    return secrets.decrypt(sealedProxy, proxyLocation(containerId))
  } catch {
    return null
  }
}

async function probe(secrets: Secrets, url: string, containerId: string): Promise<NetworkProbe | string> {
  const client = new HostClient({ secrets, findHost: async () => url, nowMs: machineMs })
  try {
    return await client.call({ operation: 'probe', containerId, args: {}, timeoutMs })
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    return error.safeMessage
  }
}
