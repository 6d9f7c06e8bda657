import { SemaphoreFull, SemaphoreTimeout, semaphore } from '@msgctl/network/semaphore'

/** How many downloads run at once, in all and of one organization, and how others wait. */
export interface DownloadSlotOptions {
  readonly limit: number
  readonly perKey: number
  readonly maxQueued: number
  readonly waitMs: number
  /** Slots for downloads that take longer than `afterMs`. Default: such downloads keep the slot they have. */
  readonly slow?: { readonly limit: number; readonly afterMs: number }
}

const rememberedKeys = 1000

/** Thrown when no slot became free in time, when too many wait, and in a slow download that lost its slot. */
export class NoDownloadSlot extends Error {}

/** The slot of one download. */
export interface DownloadSlot {
  /**
   * Aborts with {@link NoDownloadSlot} when the download is slow and another organization's slow download needs its
   * slot.
   */
  readonly signal: AbortSignal
  /** Lets the download run to its end from now on, however slow it is. */
  keep(): void
}

interface Download {
  readonly key: string
  readonly controller: AbortController
  kept: boolean
  slow: boolean
}

/**
 * Creates the slots for downloads. Organizations whose latest download was not slow come first, then those with the
 * fewest under way, then the earliest. A download that takes longer than `slow.afterMs` moves to a slow slot, so that
 * slow downloads, of however many organizations, never hold the other slots for longer. When the slow slots are full,
 * the organization with the most of them loses its oldest download.
 */
export function downloadSlots(options: DownloadSlotOptions) {
  /** In the order in which they became slow. */
  const slow = new Set<Download>()
  const slowPerKey = new Map<string, number>()
  /** Organizations whose latest download was slow. */
  const slowKeys = new Set<string>()
  const permits = semaphore({
    limit: options.limit,
    limitPerKey: (key) => options.perKey - (slowPerKey.get(key) ?? 0),
    maxQueued: options.maxQueued,
    queueTimeoutMs: options.waitMs,
    rank: (key) => (slowKeys.has(key) ? options.perKey : 0) + permits.running(key) + (slowPerKey.get(key) ?? 0),
  })

  function changeSlow(key: string, by: 1 | -1): void {
    const count = (slowPerKey.get(key) ?? 0) + by
    if (count === 0) slowPerKey.delete(key)
    else slowPerKey.set(key, count)
  }

  /** Moves a download to the slow slots, and ends one of them when there are too many. */
  function slowDown(download: Download, limit: number): void {
    const isFull = slow.size >= limit
    const evicted = isFull ? oldestOfLargestKey([...slow, download].filter(({ kept }) => !kept)) : undefined
    // With kept downloads only, this one keeps its slot: otherwise the files on disk would have no bound.
    if (isFull && !evicted) return
    download.slow = true
    slow.add(download)
    changeSlow(download.key, 1)
    rememberSlow(download.key)
    if (evicted) {
      slow.delete(evicted)
      evicted.controller.abort(new NoDownloadSlot('the slow slots are full'))
    }
    permits.release(download.key)
  }

  function rememberSlow(key: string): void {
    slowKeys.delete(key)
    slowKeys.add(key)
    const [oldest] = slowKeys
    if (slowKeys.size > rememberedKeys && oldest !== undefined) slowKeys.delete(oldest)
  }

  function end(download: Download): void {
    if (!download.slow) {
      slowKeys.delete(download.key)
      permits.release(download.key)
      return
    }
    slow.delete(download)
    changeSlow(download.key, -1)
    permits.admit()
  }

  return {
    /** Runs `task` when there is a slot for its organization. Throws {@link NoDownloadSlot}. */
    async run<T>(key: string, task: (slot: DownloadSlot) => Promise<T>): Promise<T> {
      await acquire(key)
      const download: Download = { key, controller: new AbortController(), kept: false, slow: false }
      const { afterMs, limit } = options.slow ?? { afterMs: 0, limit: 0 }
      const timer = options.slow && setTimeout(() => slowDown(download, limit), afterMs)
      const keep = () => {
        download.kept = true
      }
      try {
        return await task({ signal: download.controller.signal, keep })
      } finally {
        clearTimeout(timer)
        end(download)
      }
    },
  }

  async function acquire(key: string): Promise<void> {
    try {
      await permits.acquire(key)
    } catch (error) {
      const isRefusal = error instanceof SemaphoreFull || error instanceof SemaphoreTimeout
      throw isRefusal ? new NoDownloadSlot(error.message) : error
    }
  }
}

function oldestOfLargestKey(downloads: readonly Download[]): Download | undefined {
  const counts = new Map<string, number>()
  for (const { key } of downloads) counts.set(key, (counts.get(key) ?? 0) + 1)
  const most = Math.max(...counts.values())
  return downloads.find(({ key }) => counts.get(key) === most)
}
