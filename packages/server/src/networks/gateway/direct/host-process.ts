import type { HostProcess } from '@msgctl/network/calls'
import { GatewayError } from '@msgctl/network/errors'
import type { Secrets } from '@msgctl/network/secrets'
import type { Db } from '#platform/db/db.ts'
import { HostClient, machineMs } from './host-client.ts'
import { findHostUrl } from './store.ts'

const timeoutMs = 5000

/**
 * Lets the gateway host that connects a number end itself as a crash does, and returns its process; null while no host
 * connects the number, or it does not respond. One of an earlier release does not end: `isEnding` is then missing.
 */
export async function endHostProcess(db: Db, secrets: Secrets, containerId: string): Promise<HostProcess | null> {
  const client = new HostClient({ secrets, findHost: () => findHostUrl(db, containerId), nowMs: machineMs })
  try {
    return await client.call({ operation: 'process', containerId, args: { end: true }, timeoutMs })
  } catch (error) {
    if (error instanceof GatewayError) return null
    throw error
  }
}
