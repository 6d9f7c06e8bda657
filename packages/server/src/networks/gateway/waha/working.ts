import { GatewayError } from '@msgctl/network/errors'
import type { Driver } from '@msgctl/network/gateway'
import type { GatewaySession } from '@msgctl/network/session'
import type { WahaCall, WahaResponse } from './client.ts'
import type { WahaContext } from './context.ts'

/** Calls through a session that works. */
export type CallWorking = (session: GatewaySession, call: WahaCall) => Promise<WahaResponse>

/**
 * Creates the function that every call through a number goes through. WAHA holds a call to a session that does not work
 * for five seconds, so such a call is never made: the status is read first, unless it was heard in the last two
 * seconds.
 */
export function callWorking(ctx: WahaContext, state: Driver['state']): CallWorking {
  const { client, hosts, cache } = ctx
  return async (session, call) => {
    if (call.signal?.aborted) throw new GatewayError('timeout', 'The caller gave up.', { outcome: 'not_sent' })
    const host = await hosts.find(session)
    const isWorking = host !== undefined && cache.isWorking(session.containerId)
    const status = isWorking ? 'WORKING' : (await state(session)).status
    if (!host || status !== 'WORKING') throw new GatewayError('session', `The number is not connected (${status}).`)
    try {
      const response = await client.call(host, call)
      cache.hear(session.containerId, 'WORKING')
      return response
    } catch (error) {
      if (error instanceof GatewayError && error.kind === 'session') cache.delete(session.containerId)
      throw error
    }
  }
}
