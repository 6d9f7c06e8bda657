import { findKey, useToken } from '#api/access/credential-store.ts'
import type { Caller } from '#api/http/handler.ts'
import { createReader, type Reader } from '#events/reader.ts'
import { createHub, type StreamHub } from '#events/stream-hub.ts'
import type { Db } from '#platform/db/db.ts'
import type { Services } from '#services.ts'
import { type OverviewRow, readOverview } from './store.ts'
import type { Viewer } from './view.ts'

/** The caller of a stream. */
type Watcher = Pick<Caller, 'kind' | 'organizationId' | 'credentialHash' | 'products'>

/**
 * Checks the credential of a watcher again. Returns what it may see now; null when the key or session has ended, or the
 * organization was deactivated.
 */
async function judgeAgain(db: Db, { kind, organizationId, credentialHash }: Watcher): Promise<Viewer | null> {
  const row = await (kind === 'user' ? useToken(db, credentialHash) : findKey(db, credentialHash))
  if (!row || row.deactivated || row.moving || row.twoFactorMissing || row.organizationId !== organizationId)
    return null
  return { kind, products: new Set(row.products) }
}

/** The watch of one open stream. */
export interface Watch extends Reader {
  /** What the watcher may see at present. */
  viewer: Viewer
  put(row: OverviewRow): void
  /** Removes and returns the newest row; undefined when there is none since the last call. */
  take(): OverviewRow | undefined
}

/** What the watches of an organization were sent last. */
interface Shared {
  sent: string
  row: OverviewRow | undefined
}

type Watches = StreamHub<Watcher, Watch, Shared>

const pollEveryMs = 1000

const ofServices = new WeakMap<Services, Watches>()

/** Returns the open overview streams of the process that `services` belong to. */
export function watchesOf(services: Services): Watches {
  const known = ofServices.get(services) ?? createWatches(services)
  ofServices.set(services, known)
  return known
}

/** Opens a watch. Throws RATE_LIMIT if the organization has 200 open streams over all processes. */
export async function openWatch(
  services: Services,
  watcher: Watcher,
): Promise<{ watch: Watch; close(): Promise<void> }> {
  const { reader, close } = await watchesOf(services).open(watcher, (shared = { sent: '', row: undefined }) => {
    const watch = createWatch(watcher)
    if (shared.row) watch.put(shared.row)
    return { shared, reader: watch }
  })
  return { watch: reader, close }
}

/** A row that was not taken is replaced by the next one. */
function createWatch(viewer: Viewer): Watch {
  const { reader, change } = createReader()
  let newest: OverviewRow | undefined
  return Object.assign(reader, {
    viewer,
    put(row: OverviewRow) {
      newest = row
      change()
    },
    take() {
      const row = newest
      newest = undefined
      return row
    },
  })
}

function createWatches(services: Services): Watches {
  const { db } = services
  return createHub<Watcher, Watch, Shared, Viewer>(services, {
    kind: 'overview',
    minIntervalMs: 1,
    check: (watcher) => judgeAgain(db, watcher),
    allowed(watch, viewer, { row }) {
      const changed = [...viewer.products].join() !== [...watch.viewer.products].join()
      watch.viewer = viewer
      if (changed && row) watch.put(row)
    },
    /** Reads each watched organization once, however many watch it. */
    async poll(topics) {
      const startedAt = performance.now()
      for (const [organizationId, { shared, open }] of topics) {
        const row = await readOverview(db, organizationId)
        const text = JSON.stringify({ ...row, at: null })
        if (text === shared.sent) continue
        shared.sent = text
        shared.row = row
        for (const watch of open.keys()) watch.put(row)
      }
      return Math.max(1, pollEveryMs - (performance.now() - startedAt))
    },
  })
}
