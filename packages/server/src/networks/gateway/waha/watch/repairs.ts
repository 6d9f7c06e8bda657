import { GatewayError } from '@msgctl/network/errors'
import type { GatewaySession, NetAddress } from '@msgctl/network/session'
import { toChatId } from '#networks/gateway/waha/address.ts'
import type { WahaContext } from '#networks/gateway/waha/context.ts'
import { StuckSession } from '#networks/gateway/waha/errors.ts'
import { claimRepair, readTaken, writeTaken } from './watch-store.ts'

/** Why the service restarts a session: it reports nothing, or it refuses every message. */
type RestartReason = 'deaf' | 'refusing'

/** Restarts sessions that show WORKING and do not work. */
export interface Repairs {
  /** Records that the network took a message of a number, for all processes. Never throws: the message was sent. */
  taken(session: GatewaySession): Promise<void>
  /**
   * Counts a message to a person that failed. After those to three people, with none that was taken in between by any
   * process, the session is restarted. Returns the error of the send: `session` while the session restarts, so that
   * the message keeps its place; where the restart did not help, with the time until the next one, for which its
   * queue pauses.
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

/** When each person was refused last, of one number. */
type Refusals = Map<string, number>

/**
 * Creates the repairs of one process. The times of restarts, and of the last message that was taken, are in the
 * database. The refusals are in memory.
 */
export function openRepairs(ctx: Omit<WahaContext, 'repairs'>): Repairs {
  const { db, clock, client, hosts, cache, log, metrics } = ctx
  const refusals = new Map<string, Refusals>()

  /** Returns how many people have been refused since the last message that was taken. */
  async function count(session: GatewaySession, to: NetAddress): Promise<number> {
    const { containerId } = session
    const nowMs = clock.now().getTime()
    const known = refusals.get(containerId) ?? new Map<string, number>()
    if (nowMs - Math.max(...known.values()) >= forgottenAfterMs) known.clear()
    known.set(toChatId(to), nowMs)
    if (refusals.size >= maxNumbers) refusals.clear()
    refusals.set(containerId, known)
    if (known.size < people) return known.size
    const takenAtMs = (await readTaken(db, session))?.getTime() ?? 0
    for (const [person, atMs] of known) if (atMs <= takenAtMs) known.delete(person)
    return known.size
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
    async taken(session) {
      const { containerId } = session
      refusals.delete(containerId)
      await writeTaken(db, session, clock.now()).catch((error: unknown) => {
        log.warn(
          { event: 'waha_taken_unrecorded', err: error, containerId },
          'failed to record that a message was taken',
        )
      })
    },
    async refused(session, to, error) {
      if (!(error instanceof StuckSession) || (await count(session, to)) < people) return error
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
