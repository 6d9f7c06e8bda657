import { batcher } from '../../concurrency/batcher.ts'
import { GatewayError } from '../../gateway/errors.ts'
import type { GatewaySession } from '../../gateway/gateway.ts'
import type { SimContext } from '../context.ts'
import { hostIsDown, settleOne } from '../sessions/sessions.ts'
import { type LineState, type Look, look, type Seen } from './store.ts'

export type UsableLine = Seen & { readonly line: LineState }

/** Looks at a number and what the keys name, together with all others who look in these milliseconds. */
export type Looker = (session: GatewaySession, keys: readonly string[]) => Promise<UsableLine>

/**
 * Makes the function that every call through a number begins with; a look waits `waitMs` for others to join it. It
 * throws `unreachable` while the host is down, `session` while the number is not WORKING and `restricted` while the
 * account is limited.
 */
export function looker(ctx: SimContext, waitMs: number): Looker {
  const ask = batcher<Look, Seen>((asked) => look(ctx.db, asked), { maxItems: 500, waitMs, maxInFlight: 2 })

  const settling = new Map<string, Promise<unknown>>()

  /** Many sends may see the same step that is due; one of them takes it. */
  function settleOnce(session: GatewaySession): Promise<unknown> {
    const running = settling.get(session.containerId)
    if (running) return running
    const settled = settleOne(ctx, session).finally(() => settling.delete(session.containerId))
    settling.set(session.containerId, settled)
    return settled
  }

  async function fresh(session: GatewaySession, keys: readonly string[]): Promise<Seen> {
    const wanted = { containerId: session.containerId, organizationId: session.organizationId, keys }
    const seen = await ask(wanted)
    if (!seen.line?.stepDue || seen.line.hostDown) return seen
    await settleOnce(session)
    return ask(wanted)
  }

  return async (session, keys) => {
    const seen = await fresh(session, keys).catch((error: unknown) => {
      ctx.log.warn({ err: error, containerId: session.containerId }, 'the simulated network cannot be reached')
      throw new GatewayError('unreachable', 'The network does not answer.')
    })
    return { ...seen, line: usable(seen.line) }
  }
}

function usable(line: LineState | undefined): LineState {
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
