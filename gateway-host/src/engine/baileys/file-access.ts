import type { Dispatcher } from 'undici'
import type { FileSource } from '../../../../packages/server/src/gateway/files/download.ts'
import type { FileHosts } from '../../../../packages/server/src/gateway/files/hosts.ts'
import { readRanges } from '../../../../packages/server/src/public-address/address.ts'
import { publicAgent } from '../../../../packages/server/src/public-address/agent.ts'
import { fetchOver } from '../../../../packages/server/src/public-address/fetch.ts'
import { onlyListed } from '../../../../packages/server/src/public-address/listed-origins.ts'
import { resolveName } from '../../../../packages/server/src/public-address/lookup.ts'
import type { FileNetwork } from '../engine.ts'

/** Opens connections to the file hosts of a network, for all numbers of a process. */
export async function openFileNetwork(hosts: FileHosts): Promise<FileNetwork & { close(): Promise<void> }> {
  const agent = publicAgent(readRanges(hosts.privateRanges), resolveName)
  return { hosts, agent: await agent.get(), close: agent.close }
}

/** How one number reaches the file hosts, and nothing else: what the library fetches by itself, and files of messages. */
export interface FileAccess {
  readonly dispatcher: Dispatcher
  readonly source: FileSource
}

/**
 * Returns the access of a number. Its proxy, which resolves names itself, replaces the agent that refuses private
 * addresses; the list of hosts applies to both.
 */
export function fileAccess({ hosts, agent }: FileNetwork, proxy: Dispatcher | null): FileAccess {
  const dispatcher = onlyListed(proxy ?? agent, hosts.serves)
  return { dispatcher, source: { hosts, fetch: (request) => fetchOver(dispatcher, request, hosts.privateRanges) } }
}
