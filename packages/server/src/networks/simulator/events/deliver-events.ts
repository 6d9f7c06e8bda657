import type { GatewayHandler } from '@msgctl/network/gateway'
import type { SimContext } from '#networks/simulator/context.ts'
import { purge } from '#networks/simulator/history/store.ts'
import { findPerson } from '#networks/simulator/people/people.ts'
import { settleDue } from '#networks/simulator/sessions/sessions.ts'
import { startPollingLoop } from '#platform/concurrency/polling-loop.ts'
import { transaction } from '#platform/db/db.ts'
import { idleWaitMs } from '#platform/db/wake.ts'
import { orderedWork } from '#platform/set-aside/ordered-work.ts'
import { noteSetAside, runBatch } from '#platform/set-aside/work.ts'
import { type ClaimedEvent, claimDue, deleteEvents, nextDue, postpone, setAside } from './store.ts'

const batchSize = 500
const sessionConcurrency = 100
const contendedMs = 50
const postponedMs = 5000
const purgeEveryMs = 3_600_000
const keepDays = 7
const retry = { firstMs: 200, longestMs: 5000 }

/**
 * Passes due events to `handler`. The returned function stops it and waits for the batch that runs. The rows stay
 * locked while the handler runs and are deleted when it resolves, in one transaction. They are due again when it throws
 * or the process dies. An idle loop polls the database every 1 to 3 s.
 */
export function deliverEvents(ctx: SimContext, handler: GatewayHandler): () => Promise<void> {
  const work = orderedWork(ctx, 'simulated_events')
  let limit = batchSize
  let purgedAtMs = Number.NEGATIVE_INFINITY

  /**
   * Delivers one batch and returns how many events were due. A failed batch is reduced until the faulty event is alone.
   */
  async function batch(): Promise<number> {
    let claimed: readonly ClaimedEvent[] = []
    let lost: readonly ClaimedEvent[] = []
    try {
      const held = await transaction(ctx.db, async (trx) => {
        claimed = await claimDue(trx, limit)
        const chosen = await work.choose(claimed.filter(isReady).map(toItem))
        lost = chosen.lost.map(({ claimed }) => claimed)
        const ready = chosen.items.map(({ claimed }) => claimed)
        if (chosen.batch !== null) await runBatch(ctx, chosen.batch, () => handler(ready.map(({ event }) => event)))
        await deleteEvents(
          trx,
          [...lost, ...ready].map(({ id }) => id),
        )
        return claimed.filter((one) => !isReady(one))
      })
      for (const event of lost) await noteSetAside(ctx, 'simulated_events', toItem(event))
      limit = Math.min(batchSize, limit * 2)
      if (held.length > 0) await hold(held)
      return claimed.length
    } catch (error) {
      const [alone] = claimed
      if (limit === 1 && alone) await postpone(ctx.db, alone.id, postponedMs)
      limit = Math.max(1, Math.floor(limit / 8))
      throw error
    }
  }

  async function hold(held: readonly ClaimedEvent[]): Promise<void> {
    const people = held.flatMap(({ person }) => (person !== null && !findPerson(person).startsOnline ? [person] : []))
    const ids = held.map(({ id }) => id)
    await transaction(ctx.db, (trx) => setAside(trx, ids, [...new Set(people)].sort()))
  }

  /** Delivers what is due. Returns the milliseconds until the next poll. */
  async function round(): Promise<number> {
    const due = await nextDue(ctx.db)
    const nowMs = due.now.getTime()
    const untilMs = (at: Date | null) => (at === null ? Number.POSITIVE_INFINITY : at.getTime() - nowMs)
    if (untilMs(due.stepAt) <= 0) await settleDue(ctx, sessionConcurrency)
    else if (untilMs(due.eventAt) > 0) return Math.min(idleWaitMs(ctx.wake), untilMs(due.stepAt), untilMs(due.eventAt))
    // Another process may have locked all due rows; then poll again a little later.
    return (await batch()) > 0 || untilMs(due.stepAt) <= 0 ? 0 : contendedMs
  }

  async function poll(): Promise<number> {
    if (performance.now() - purgedAtMs > purgeEveryMs) {
      const more = await purge(ctx.db, keepDays)
      if (!more) purgedAtMs = performance.now()
    }
    return round()
  }

  const loop = startPollingLoop({
    name: 'delivering events of the simulated network',
    log: ctx.log,
    poll,
    minIntervalMs: 0,
    retry,
  })
  const unsubscribes = (['gateway', 'clock'] as const).map((channel) => ctx.wake.on(channel, loop.wake))
  return async () => {
    for (const unsubscribe of unsubscribes) unsubscribe()
    await loop.stop()
  }
}

function isReady(one: ClaimedEvent): boolean {
  return one.linkUp && (one.person === null || (one.online ?? findPerson(one.person).startsOnline))
}

function toItem(claimed: ClaimedEvent) {
  const { containerId, organizationId } = claimed.event
  return { id: String(claimed.id), organizationId, lane: containerId, claimed }
}
