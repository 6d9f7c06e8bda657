import type { HostProcess } from '@msgctl/network/calls'
import { GatewayError } from '@msgctl/network/errors'
import type { Secrets } from '@msgctl/network/secrets'
import type { Db } from '#platform/db/db.ts'
import { HostClient, machineMs } from './host-client.ts'
import { findHostUrl } from './store.ts'

const timeoutMs = 5000

/** Returns the process of the gateway host that connects a number; null while none does, or it does not respond. */
export async function findHostProcess(db: Db, secrets: Secrets, containerId: string): Promise<HostProcess | null> {
  const client = new HostClient({ secrets, findHost: () => findHostUrl(db, containerId), nowMs: machineMs })
  try {
    return await client.call({ operation: 'process', containerId, args: {}, timeoutMs })
  } catch (error) {
    if (error instanceof GatewayError) return null
    throw error
  }
}
