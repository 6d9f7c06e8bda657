import type { FileSource } from '@msgctl/network/files/download'
import type { FileHosts } from '@msgctl/network/files/hosts'
import { readRanges } from '@msgctl/network/public-address/address'
import { publicAgent } from '@msgctl/network/public-address/agent'
import { fetchOver } from '@msgctl/network/public-address/fetch'
import { onlyListed } from '@msgctl/network/public-address/listed-origins'
import { resolveName } from '@msgctl/network/public-address/lookup'
import type { Dispatcher } from 'undici'
import type { FileNetwork } from '../engine.ts'

/** Opens connections to the file hosts of a network, for all numbers of a process. */
export async function openFileNetwork(hosts: FileHosts): Promise<FileNetwork & { close(): Promise<void> }> {
  const agent = publicAgent(readRanges(hosts.privateRanges), resolveName)
  return { hosts, agent: await agent.get(), close: agent.close }
}

/**
 * How one number reaches the file hosts, and nothing else: what the library fetches by itself, and files of messages.
 */
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
