import type { GatewayEvent, GatewayHandler, NetworkReport } from '@msgctl/network/gateway'
import { startPollingLoop } from '#platform/concurrency/polling-loop.ts'
import { type Db, transaction } from '#platform/db/db.ts'
import { idleWaitMs } from '#platform/db/wake.ts'
import { orderedWork } from '#platform/set-aside/ordered-work.ts'
import { noteSetAside, runBatch } from '#platform/set-aside/work.ts'
import type { InboxContext } from './inbox.ts'
import { placeInTime } from './place-in-time.ts'
import {
  type ClaimedReport,
  claimReports,
  deleteReports,
  findLastTimes,
  type NewReport,
  postponeReport,
  saveLastTimes,
  setAside,
} from './store.ts'

/**
 * Turns the body of a report into events; their times are the network's. Empty for a report that concerns nothing of
 * the service. A pure function, so that a report that it cannot read is not tried again. Throws for such a report.
 */
export type Translate = (report: Pick<NewReport, 'host' | 'body'>) => readonly NetworkReport[]

/** Attempts of a report that the service could not handle; the last one is about ten minutes after the first. */
const maxAttempts = 8
const firstRetryMs = 5000
const bounds = { reports: 500, bytes: 8 * 1024 * 1024 }
/**
 * A first batch is small: a worker that is killed again and again soon after its start still gets some reports done.
 */
const firstReports = 32
const retry = { firstMs: 200, longestMs: 5000 }

/** The driver whose reports are handed out, and to whom. */
interface HandOut {
  readonly driver: string
  readonly translate: Translate
  readonly handler: GatewayHandler
}

/**
 * Hands reports to `handler` as events, those of each number in the order of their arrival; any number of workers may
 * do so. The rows stay locked while the handler runs and are deleted in the transaction that ends with it: a crash
 * makes them come again. A report that cannot be read is set aside at once, one that cannot be handled after
 * {@link maxAttempts}, and one that ends process after process as {@link orderedWork} says.
 */
export function handOut(ctx: InboxContext, { driver, translate, handler }: HandOut): () => Promise<void> {
  const work = orderedWork(ctx, 'reports')
  let limit = firstReports

  /**
   * Hands out one batch, and returns how many reports it had. A failed batch is reduced until the faulty one is alone.
   */
  async function batch(): Promise<number> {
    let claimed: readonly ClaimedReport[] = []
    let lost: readonly ClaimedReport[] = []
    let handled = 0
    try {
      await transaction(ctx.db, async (trx) => {
        claimed = await claimReports(trx, driver, { ...bounds, reports: limit })
        const chosen = await work.choose(claimed.map(toItem))
        lost = chosen.lost.map(({ report }) => report)
        await setAside(trx, idsOf(lost))
        if (chosen.batch !== null) {
          const reports = chosen.items.map(({ report }) => report)
          await runBatch(ctx, chosen.batch, () => handReports(trx, reports))
        }
        handled = lost.length + chosen.items.length
      })
      for (const report of lost) await noteSetAside(ctx, 'reports', toItem(report))
      limit = Math.min(bounds.reports, limit * 2)
      return handled
    } catch (error) {
      const [alone] = claimed
      if (limit === 1 && alone) await retryLater(alone, error)
      limit = Math.max(1, Math.floor(Math.min(limit, claimed.length) / 8))
      throw error
    }
  }

  /** Hands out reports, and deletes them. */
  async function handReports(trx: Db, reports: readonly ClaimedReport[]): Promise<void> {
    const numbers = [...new Set(reports.map(({ containerId }) => containerId))]
    const { events, unreadable, lastTimes } = toEvents(reports, translate, await findLastTimes(trx, numbers))
    if (events.length > 0) await handler(events)
    await saveLastTimes(trx, lastTimes)
    const refused = new Set(idsOf(unreadable))
    await setAside(trx, [...refused])
    await deleteReports(
      trx,
      idsOf(reports).filter((id) => !refused.has(id)),
    )
    for (const { error, ...report } of unreadable) logSetAside(report, error)
  }

  async function retryLater(report: ClaimedReport, error: unknown): Promise<void> {
    const attempts = report.attempts + 1
    if (attempts < maxAttempts) return postponeReport(ctx.db, report.id, firstRetryMs * 2 ** (attempts - 1))
    await setAside(ctx.db, [report.id])
    logSetAside(report, error)
  }

  /** Logs what was set aside. Neither the body nor the message of the error, which may quote it. */
  function logSetAside(
    { id, host, eventId, containerId, body }: Omit<ClaimedReport, 'attempts'>,
    error: unknown,
  ): void {
    const kind = error instanceof Error ? error.name : typeof error
    ctx.log.error(
      { event: 'network_report_set_aside', driver, host, eventId, containerId, id, bytes: body.length, error: kind },
      'set a report of the network aside that cannot be handled',
    )
  }

  const loop = startPollingLoop({
    name: `handing out the reports of ${driver}`,
    log: ctx.log,
    poll: async () => ((await batch()) > 0 ? 0 : idleWaitMs(ctx.wake)),
    minIntervalMs: 0,
    retry,
  })
  const unsubscribes = (['inbox', 'clock'] as const).map((channel) => ctx.wake.on(channel, loop.wake))
  return async () => {
    for (const unsubscribe of unsubscribes) unsubscribe()
    await loop.stop()
  }
}

function toItem(report: ClaimedReport) {
  const { id, organizationId, containerId } = report
  return { id: String(id), organizationId, lane: containerId, report }
}

function idsOf(reports: readonly ClaimedReport[]): number[] {
  return reports.map(({ id }) => id)
}

/** What a batch of reports contains. */
interface Translated {
  readonly events: GatewayEvent[]
  readonly unreadable: (ClaimedReport & { readonly error: unknown })[]
  /** The time of the last message of each number that has one. */
  readonly lastTimes: Map<string, number>
}

function toEvents(claimed: readonly ClaimedReport[], translate: Translate, known: Map<string, number>): Translated {
  const translated: Translated = { events: [], unreadable: [], lastTimes: new Map() }
  for (const report of claimed) {
    const { containerId, organizationId, arrivedMs, offsetMs } = report
    try {
      for (const found of translate(report)) {
        const lastMs = known.get(containerId) ?? null
        const isMessage = found.kind === 'message.in' || found.kind === 'message.out'
        const ms = placeInTime({ atMs: found.at.getTime(), arrivedMs, lastMs: isMessage ? lastMs : null })
        if (isMessage) {
          known.set(containerId, Math.max(ms, lastMs ?? ms))
          translated.lastTimes.set(containerId, Math.max(ms, lastMs ?? ms))
        }
        translated.events.push({
          ...toServiceTime(found, offsetMs),
          containerId,
          organizationId,
          at: new Date(ms + offsetMs),
        })
      }
    } catch (error) {
      translated.unreadable.push({ ...report, error })
    }
  }
  return translated
}

/** Moves the other times of an event from the network's clock to service time. */
function toServiceTime(report: NetworkReport, offsetMs: number): NetworkReport {
  const moved = <T extends Date | null>(at: T) => (at === null ? at : (new Date(at.getTime() + offsetMs) as T))
  if (report.kind === 'session.state') {
    const { retry } = report.state
    return retry instanceof Date ? { ...report, state: { ...report.state, retry: moved(retry) } } : report
  }
  if (report.kind !== 'account.limits') return report
  const { newChats, blockedUntil } = report.limits
  return {
    ...report,
    limits: {
      newChats: newChats && { ...newChats, resetsAt: moved(newChats.resetsAt) },
      blockedUntil: moved(blockedUntil),
    },
  }
}
