import { GatewayError } from '@msgctl/network/errors'
import type { GatewaySession, NetAddress } from '@msgctl/network/session'
import { toChatId } from '#networks/gateway/waha/address.ts'
import type { WahaContext } from '#networks/gateway/waha/context.ts'
import { StuckSession } from '#networks/gateway/waha/errors.ts'
import { claimRepair } from './watch-store.ts'

/** Why the service restarts a session: it reports nothing, or it refuses every message. */
type RestartReason = 'deaf' | 'refusing'

/** Restarts sessions that show WORKING and do not work. */
export interface Repairs {
  /** Records that the network took a message of a number. */
  taken(session: GatewaySession): void
  /**
   * Counts a message to a person that failed. After those to three people, with none that was taken in between, the
   * session is restarted. Returns the error of the send: `session` while the session restarts, so that the message
   * keeps its place; where the restart did not help, with the time until the next one, for which its queue pauses.
   */
  refused(session: GatewaySession, to: NetAddress, error: unknown): Promise<unknown>
  /**
   * Restarts a session that reports nothing, unless it was restarted in the last hour, or in the last day where that
   * did not help. Returns whether it did.
   */
  restartDeaf(session: GatewaySession, helped: boolean): Promise<boolean>
}

/** At most once in this time for each number, whatever the reason. */
const everySeconds = 3600
const vainEverySeconds = 86_400
/** Sends that were under way during a restart fail until then. */
const settlesWithinSeconds = 120
const people = 3
/** Refusals that are further apart have nothing to do with each other. */
const forgottenAfterMs = 3_600_000
const restartTimeoutMs = 15_000
const maxNumbers = 100_000

interface Refusals {
  readonly people: Set<string>
  readonly atMs: number
}

/** Creates the repairs of one process. The times of restarts are in the database, the refusals in memory. */
export function openRepairs(ctx: Omit<WahaContext, 'repairs'>): Repairs {
  const { db, clock, client, hosts, cache, log, metrics } = ctx
  const refusals = new Map<string, Refusals>()

  /** Returns how many people have been refused since the last message that was taken. */
  function count({ containerId }: GatewaySession, to: NetAddress): number {
    const nowMs = clock.now().getTime()
    const known = refusals.get(containerId)
    const isRecent = known !== undefined && nowMs - known.atMs < forgottenAfterMs
    const refused = isRecent ? known.people : new Set<string>()
    refused.add(toChatId(to))
    if (refusals.size >= maxNumbers) refusals.clear()
    refusals.set(containerId, { people: refused, atMs: nowMs })
    return refused.size
  }

  async function run(session: GatewaySession, reason: RestartReason): Promise<void> {
    const { containerId } = session
    refusals.delete(containerId)
    cache.delete(containerId)
    metrics.sessionRestarted(reason)
    log.warn({ event: 'waha_session_restarted', containerId, reason }, 'restarted a session that did not work')
    try {
      const host = await hosts.find(session)
      const path = `/api/sessions/${containerId}/restart`
      if (host) await client.call(host, { method: 'POST', path, timeoutMs: restartTimeoutMs })
    } catch (error) {
      log.warn({ event: 'waha_restart_failed', err: error, containerId }, 'failed to restart a session')
    }
  }

  return {
    taken: ({ containerId }) => void refusals.delete(containerId),
    async refused(session, to, error) {
      if (!(error instanceof StuckSession) || count(session, to) < people) return error
      const agoSeconds = await claimRepair(db, session, everySeconds)
      if (agoSeconds === null) await run(session, 'refusing')
      else refusals.delete(session.containerId)
      if (agoSeconds === null || agoSeconds < settlesWithinSeconds) {
        const sentence = 'The connection of the number refused every message, and is being restarted.'
        return new GatewayError('session', sentence, { outcome: 'not_sent' })
      }
      return new GatewayError('rejected', 'The network refuses every message of this number.', {
        outcome: 'not_sent',
        retryAfterMs: (everySeconds - agoSeconds) * 1000,
      })
    },
    async restartDeaf(session, helped) {
      if ((await claimRepair(db, session, helped ? everySeconds : vainEverySeconds)) !== null) return false
      await run(session, 'deaf')
      return true
    },
  }
}
