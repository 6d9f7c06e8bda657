import type { GatewayHandler } from '@msgctl/network/gateway'
import { sharedBatcher } from '#platform/concurrency/batcher.ts'
import type { Db } from '#platform/db/db.ts'
import type { Services } from '#services.ts'
import { handOut, type Translate } from './hand-out.ts'
import { countBacklog, insertReports, type NewReport } from './store.ts'

/** What an inbox works with. */
export type InboxContext = Pick<Services, 'db' | 'wake' | 'log'>

/** What the hosts of a driver have reported and the service has not handled yet. */
export interface Inbox {
  /**
   * Stores a report and resolves after the commit. A repeat, by the host's id of it, is dropped while the first one
   * waits. Throws {@link InboxFull} while a million reports wait.
   */
  store(report: NewReport): Promise<void>
  /**
   * Hands reports out as events, see {@link handOut}. The returned function stops it and waits for the batch that runs.
   */
  subscribe(handler: GatewayHandler): () => Promise<void>
  close(): Promise<void>
}

/** Thrown while too many reports wait: the host has to report again later. */
export class InboxFull extends Error {}

const mostWaiting = 1_000_000
const backlogEveryMs = 1000

/** Opens the inbox of a driver. `translate` turns the body of a report into events. */
export function openInbox(ctx: InboxContext, driver: string, translate: Translate): Inbox {
  const subscriptions = new Set<() => Promise<void>>()
  let countedAtMs = Number.NEGATIVE_INFINITY

  async function requireRoom(): Promise<void> {
    if (performance.now() - countedAtMs < backlogEveryMs) return
    if ((await countBacklog(ctx.db, driver)) >= mostWaiting)
      throw new InboxFull('too many reports of the network wait to be handled')
    countedAtMs = performance.now()
  }

  return {
    async store(report) {
      await requireRoom()
      await insert(ctx.db, { driver, report })
    },
    subscribe(handler) {
      const stop = handOut(ctx, { driver, translate, handler })
      subscriptions.add(stop)
      return async () => {
        subscriptions.delete(stop)
        await stop()
      }
    },
    async close() {
      await Promise.all([...subscriptions].map((stop) => stop()))
      subscriptions.clear()
    },
  }
}

/** Stores reports that arrive at the same moment in one statement. */
const insert = sharedBatcher(
  async (db: Db, arrived: readonly { readonly driver: string; readonly report: NewReport }[]): Promise<undefined[]> => {
    for (const driver of new Set(arrived.map((one) => one.driver))) {
      const reports = arrived.flatMap((one) => (one.driver === driver ? [one.report] : []))
      await insertReports(db, driver, reports)
    }
    return arrived.map(() => undefined)
  },
)
