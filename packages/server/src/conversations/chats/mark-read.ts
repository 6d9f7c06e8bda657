import { toNetworkAddress } from '#networks/gateway/address.ts'
import { withGatewayTimeout } from '#networks/gateway/timeout.ts'
import { type Db, transaction } from '#platform/db/db.ts'
import type { Services } from '#services.ts'
import type { Marked } from './unread-store.ts'

const seenTimeoutMs = 10_000

/**
 * Marks messages read, and shows their authors read ticks where their number is connected. Returns how many were
 * unread. The network is called after the commit; its failure changes nothing, because the messages are read here.
 */
export async function markRead(services: Services, mark: (trx: Db) => Promise<readonly Marked[]>): Promise<number> {
  const marked = await transaction(services.db, mark)
  for (const chat of marked) void showSeen(services, chat)
  return marked.reduce((sum, { messages }) => sum + messages, 0)
}

async function showSeen({ gateway, log }: Services, { session, address, networkIds }: Marked): Promise<void> {
  if (address === null || session === null || networkIds.length === 0) return
  try {
    const call = gateway.seen(session, toNetworkAddress(address), [...networkIds].reverse())
    await withGatewayTimeout(seenTimeoutMs, call)
  } catch (error) {
    const { containerId } = session
    log.info({ event: 'read_ticks_failed', err: error, containerId }, 'failed to show read ticks')
  }
}
