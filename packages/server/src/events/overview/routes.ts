import type { Contract, Output } from '@msgctl/contract'
import type { Frame, Handlers } from '#api/http/handler.ts'
import { readOverview } from './store.ts'
import { overviewView } from './view.ts'
import { type Watch, watchesOf } from './watches.ts'

type Record = Output<Contract['overview']['stream']>

/** The handlers of /overview. */
export const overviewHandlers = {
  get: async ({ caller }, { db }) => overviewView(await readOverview(db, caller.organizationId), caller),

  async stream({ caller, signal }, services) {
    const watch = await watchesOf(services).open(caller)
    if (signal.aborted) await watch.close()
    else signal.addEventListener('abort', () => void watch.close(), { once: true })
    return follow(watch)
  },
} satisfies Handlers<Contract['overview']>

/** Yields the frames of one stream until its watch ends, and closes it. */
async function* follow(watch: Watch): AsyncGenerator<Frame<Record>> {
  const { mailbox } = watch
  try {
    while (!mailbox.ended) {
      const row = mailbox.take()
      if (row) yield { data: { success: true, ...overviewView(row, watch.viewer) } }
      if (mailbox.takeBeat()) yield { comment: 'heartbeat' }
      await mailbox.changed()
    }
  } finally {
    await watch.close()
  }
}
