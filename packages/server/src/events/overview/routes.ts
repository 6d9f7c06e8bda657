import type { Contract, Output } from '@msgctl/contract'
import type { Frame, Handlers } from '#api/http/handler.ts'
import { readOverview } from './store.ts'
import { overviewView } from './view.ts'
import { openWatch, type Watch } from './watches.ts'

type Record = Output<Contract['overview']['stream']>

/** The handlers of /overview. */
export const overviewHandlers = {
  get: async ({ caller }, { db }) => overviewView(await readOverview(db, caller.organizationId), caller),

  async stream({ caller, signal }, services) {
    const { watch, close } = await openWatch(services, caller)
    if (signal.aborted) await close()
    else signal.addEventListener('abort', () => void close(), { once: true })
    return follow(watch, close)
  },
} satisfies Handlers<Contract['overview']>

/** Yields the frames of one stream until its watch ends, and closes it. */
async function* follow(watch: Watch, close: () => Promise<void>): AsyncGenerator<Frame<Record>> {
  try {
    while (!watch.ended) {
      const row = watch.take()
      if (row) yield { data: { success: true, ...overviewView(row, watch.viewer) } }
      if (watch.takeBeat()) yield { comment: 'heartbeat' }
      await watch.changed()
    }
  } finally {
    await close()
  }
}
