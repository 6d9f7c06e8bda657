import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { Batch } from './batch.ts'
import { type BatchOwner, commitStatement } from './commit-statement.ts'

/** A number as the committer sees it. */
export interface Staged extends BatchOwner {
  /** Whether a frame waits for the commit. */
  readonly isUrgent: boolean
  /** Whether work runs whose changes belong into one commit. */
  readonly isHeld: boolean
  readonly isFenced: boolean
  /** Takes what is staged. */
  take(): Batch
  /** The batch is on disk. */
  done(batch: Batch): void
  /** The batch could not be committed; it is staged again. */
  putBack(batch: Batch): void
  /** Another process owns the number. */
  fence(): void
}

/** Figures of the commits of a process. */
interface CommitFigures {
  /** Called after every commit, with its duration. */
  observe(seconds: number, numbers: number): void
  failed(error: unknown): void
}

/** Commits what the numbers of one process have staged. */
export interface Committer {
  /** Notes that a number has staged something. */
  notify(number: Staged): void
  /** Notes that a statement of a number failed and is repeated. */
  failed(error: unknown): void
}

export interface CommitterOptions {
  readonly pool: Pool
  readonly hostId: string
  readonly figures?: CommitFigures
  /** Called after a commit that stored events. */
  readonly onEvents?: () => void
  /** How long what no frame waits for is held back, to be committed with others (default: 25 ms). */
  readonly holdMs?: number
}

const mostAtOnce = 2
const retryMs = 200

/**
 * Creates the committer of a process: many numbers share one statement, one transaction and one write to the disk. At
 * most two commits run at a time, and never two of one number, because they could be stored in the wrong order.
 */
export function createCommitter({ pool, hostId, figures, onEvents, holdMs = 25 }: CommitterOptions): Committer {
  const dirty = new Set<Staged>()
  const busy = new Set<Staged>()
  let running = 0
  let _timer: NodeJS.Timeout | null = null

  /**
   * Numbers whose batch can be committed. What a fenced one has staged may be a part of its work: a ratchet without the
   * event of its message. No frame has left for it, so the next owner of the number gets the message again.
   */
  const ready = () => [...dirty].filter((number) => !busy.has(number) && !number.isHeld && !number.isFenced)

  function schedule(): void {
    const waiting = ready()
    if (running >= mostAtOnce || waiting.length === 0) return
    if (waiting.some((number) => number.isUrgent)) {
      start()
      return
    }
    _timer ??= setTimeout(() => {
      _timer = null
      start()
    }, holdMs)
  }

  function start(): void {
    if (running >= mostAtOnce) return
    running++
    // What is staged in this turn of the event loop is committed together.
    void nextTurn()
      .then(commit)
      .finally(() => {
        running--
        schedule()
      })
  }

  async function commit(): Promise<void> {
    const numbers = ready()
    if (numbers.length === 0) return
    for (const number of numbers) {
      dirty.delete(number)
      busy.add(number)
    }
    const batches = numbers.map((number) => [number, number.take()] as const)
    const startedMs = performance.now()
    try {
      const { rows } = await pool.query<{ containerId: string }>(commitStatement(batches, hostId))
      const owned = new Set(rows.map(({ containerId }) => containerId))
      for (const [number, batch] of batches) {
        if (owned.has(number.containerId)) number.done(batch)
        else number.fence()
      }
      if (batches.some(([, batch]) => batch.inbox.length > 0)) onEvents?.()
      figures?.observe((performance.now() - startedMs) / 1000, numbers.length)
    } catch (error) {
      figures?.failed(error)
      for (const [number, batch] of batches) {
        number.putBack(batch)
        if (!number.isFenced) dirty.add(number)
      }
      await wait(retryMs)
    } finally {
      for (const number of numbers) busy.delete(number)
    }
  }

  return {
    notify(number) {
      if (number.isFenced) dirty.delete(number)
      else dirty.add(number)
      schedule()
    },
    failed: (error) => figures?.failed(error),
  }
}
