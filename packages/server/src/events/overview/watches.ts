import { randomUUID } from 'node:crypto'
import { limits } from '@msgctl/contract'
import { byOrganization, limitReached } from '#api/access/limit-key.ts'
import { acquireLease, releaseLease, renewLeases, type StreamLease } from '#events/stream-lease-store.ts'
import { type PollingLoop, startPollingLoop } from '#platform/concurrency/polling-loop.ts'
import type { Services } from '#services.ts'
import { createMailbox, type Mailbox } from './mailbox.ts'
import { type OverviewRow, readOverview } from './store.ts'
import type { Viewer } from './view.ts'
import { judgeAgain, type Watcher } from './viewer.ts'

/** The watch of one open stream. */
export interface Watch {
  readonly mailbox: Mailbox<OverviewRow>
  /** What the watcher may see at present. */
  readonly viewer: Viewer
  /** Ends the watch and releases its lease. A second call has no effect. */
  close(): Promise<void>
}

/** The open overview streams of one process. */
export interface Watches {
  /** Opens a watch. Throws RATE_LIMIT if the organization has 200 open streams over all processes. */
  open(watcher: Watcher): Promise<Watch>
  /**
   * Renews all leases, sends every stream a heartbeat, and ends those whose credential has ended. A timer calls it
   * every 15 s.
   */
  beat(): Promise<void>
}

interface Open {
  readonly watcher: Watcher
  readonly lease: StreamLease
  readonly mailbox: Mailbox<OverviewRow>
  viewer: Viewer
}

/** The watches of one organization, and what they were sent last. */
interface Topic {
  readonly watches: Set<Open>
  sent: string
  row: OverviewRow | undefined
}

const pollEveryMs = 1000
const heartbeatMs = limits.events.heartbeatSeconds * 1000

const ofServices = new WeakMap<Services, Watches>()

/** Returns the watches of the process that `services` belong to. */
export function watchesOf(services: Services): Watches {
  const known = ofServices.get(services) ?? createWatches(services)
  ofServices.set(services, known)
  return known
}

function createWatches(services: Services): Watches {
  const { db, log, wake } = services
  const topics = new Map<string, Topic>()
  let stopPolling: (() => void) | null = null

  /** Reads each watched organization once, however many watch it. */
  async function poll(): Promise<number> {
    const startedAt = performance.now()
    for (const [organizationId, topic] of topics) {
      const row = await readOverview(db, organizationId)
      const text = JSON.stringify({ ...row, at: null })
      if (text === topic.sent) continue
      topic.sent = text
      topic.row = row
      for (const { mailbox } of topic.watches) mailbox.put(row)
    }
    return Math.max(1, pollEveryMs - (performance.now() - startedAt))
  }

  const allOpen = () => [...topics.values()].flatMap(({ watches }) => [...watches])

  async function judge(then: (open: Open) => void): Promise<void> {
    await Promise.all(
      allOpen().map(async (open) => {
        const viewer = await judgeAgain(db, open.watcher)
        if (!viewer) return open.mailbox.end()
        const changed = [...viewer.products].join() !== [...open.viewer.products].join()
        open.viewer = viewer
        const row = topics.get(open.watcher.organizationId)?.row
        if (changed && row) open.mailbox.put(row)
        then(open)
      }),
    )
  }

  async function beat(): Promise<void> {
    await renewLeases(
      db,
      allOpen().map(({ lease }) => lease),
    )
    await judge(({ mailbox }) => mailbox.beat())
  }

  function startPolling(): void {
    const loop: PollingLoop = startPollingLoop({ name: 'watching overviews', log, poll, minIntervalMs: 1 })
    const failed = (error: unknown) =>
      log.warn({ event: 'stream_check_failed', err: error }, 'failed to check the access of overview streams')
    const timer = setInterval(() => void beat().catch(failed), heartbeatMs)
    timer.unref()
    const unsubscribe = wake.on('credentials', () => void judge(() => undefined).catch(failed))
    stopPolling = () => {
      unsubscribe()
      clearInterval(timer)
      void loop.stop()
    }
  }

  function add(open: Open): void {
    const { organizationId } = open.watcher
    const topic = topics.get(organizationId) ?? { watches: new Set(), sent: '', row: undefined }
    topics.set(organizationId, topic)
    topic.watches.add(open)
    if (topic.row) open.mailbox.put(topic.row)
    if (!stopPolling) startPolling()
  }

  async function remove(open: Open): Promise<void> {
    const { organizationId } = open.watcher
    const topic = topics.get(organizationId)
    if (!topic?.watches.delete(open)) return
    open.mailbox.end()
    if (topic.watches.size === 0) topics.delete(organizationId)
    if (topics.size === 0) {
      stopPolling?.()
      stopPolling = null
    }
    await releaseLease(db, open.lease).catch((error) =>
      log.warn({ event: 'stream_lease_release_failed', err: error }, 'failed to release overview stream lease'),
    )
  }

  return {
    beat,
    async open(watcher) {
      const lease: StreamLease = { id: randomUUID(), organizationId: watcher.organizationId, kind: 'overview' }
      if (!(await acquireLease(db, lease))) throw streamLimitReached(watcher.organizationId)
      const mailbox = createMailbox<OverviewRow>()
      const open: Open = { watcher, lease, mailbox, viewer: watcher }
      add(open)
      return {
        mailbox,
        get viewer() {
          return open.viewer
        },
        close: () => remove(open),
      }
    },
  }
}

function streamLimitReached(organizationId: string) {
  const message = `The organization has ${limits.overview.streams} open overview streams already. Close one first.`
  return limitReached(byOrganization('overview streams', organizationId), message, {
    retryAfterSeconds: limits.events.heartbeatSeconds,
  })
}
