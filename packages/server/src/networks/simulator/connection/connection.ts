import { GatewayError } from '@msgctl/network/errors'
import type { GatewaySession } from '@msgctl/network/gateway'
import type { SimContext } from '#networks/simulator/context.ts'
import { hostIsDown, settleOne } from '#networks/simulator/sessions/sessions.ts'
import { batcher } from '#platform/concurrency/batcher.ts'
import { type ConnectionSnapshot, type ConnectionState, type ReadRequest, readConnections } from './store.ts'

export type UsableConnection = ConnectionSnapshot & { readonly line: ConnectionState }

/** Reads a number and what the keys name; concurrent reads share a query. */
export type ConnectionReader = (session: GatewaySession, keys: readonly string[]) => Promise<UsableConnection>

/**
 * Creates the function that every call through a number begins with; a read waits `waitMs` for others to join it. It
 * throws `unreachable` while the host is down, `session` while the number is not WORKING and `restricted` while the
 * account is limited.
 */
export function connectionReader(ctx: SimContext, waitMs: number): ConnectionReader {
  const read = batcher<ReadRequest, ConnectionSnapshot>((requests) => readConnections(ctx.db, requests), {
    maxItems: 500,
    waitMs,
    maxInFlight: 2,
  })

  const settling = new Map<string, Promise<unknown>>()

  /** Many sends may see the same step that is due; one of them takes it. */
  function settleOnce(session: GatewaySession): Promise<unknown> {
    const running = settling.get(session.containerId)
    if (running) return running
    const settled = settleOne(ctx, session).finally(() => settling.delete(session.containerId))
    settling.set(session.containerId, settled)
    return settled
  }

  async function fresh(session: GatewaySession, keys: readonly string[]): Promise<ConnectionSnapshot> {
    const request = { containerId: session.containerId, organizationId: session.organizationId, keys }
    const seen = await read(request)
    if (!seen.line?.stepDue || seen.line.hostDown) return seen
    await settleOnce(session)
    return read(request)
  }

  return async (session, keys) => {
    const seen = await fresh(session, keys).catch((error: unknown) => {
      ctx.log.warn(
        { event: 'simulator_read_failed', err: error, containerId: session.containerId },
        'failed to read the simulated network',
      )
      throw new GatewayError('unreachable', 'The network does not respond.')
    })
    return { ...seen, line: usable(seen.line) }
  }
}

function usable(line: ConnectionState | undefined): ConnectionState {
  if (line?.hostDown) throw hostIsDown()
  if (line?.status !== 'WORKING') {
    throw new GatewayError('session', `The number is not connected (${line?.status ?? 'STOPPED'}).`)
  }
  if (line.restrictedMs !== null && line.restrictedMs > 0) throw isRestricted(line.restrictedMs)
  return line
}

/** The account may not send for a while. */
export function isRestricted(retryAfterMs: number): GatewayError {
  return new GatewayError('restricted', 'The network limits what this account may send.', { retryAfterMs })
}
