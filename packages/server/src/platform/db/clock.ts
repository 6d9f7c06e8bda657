import { type Db, rows } from './db.ts'

/** Service time: the database's clock plus its offset row. Pure rules get times from here as arguments. */
export interface Clock {
  /** The service's time now, without a query; at most a second behind a change made by another process. */
  now(): Date
  /** Moves the service's clock forward for every process; returns the new time. */
  advance(seconds: number): Promise<Date>
  /** Stops the service's clock at its present time, for tests of edges; `advance` still moves it. */
  freeze(): Promise<void>
  /** Reads the database's clock again; called by a timer and after a change by another process. */
  sync(): Promise<void>
  stop(): void
}

interface ClockRow {
  now: Date
  frozen: boolean
}

const read = 'select service_now() as now, frozen_at is not null as frozen from service_clock'

/** How a clock follows the database's. */
export interface ClockOptions {
  /** How often the database is read: each second where the clock can be moved, rarely where only drift counts. */
  readonly followMs: number
  /** Milliseconds since any fixed moment (default: performance.now). It must not step, as the machine's clock may. */
  readonly elapsedMs?: () => number
}

/** Starts a clock that follows the database's, and counts elapsed time between two readings of it. */
export async function startClock(db: Db, options: ClockOptions): Promise<Clock> {
  const { elapsedMs = () => performance.now() } = options
  let zeroMs = 0
  let frozenAt: Date | null = null
  let moves = 0

  function take(row: ClockRow | undefined): void {
    if (!row) throw new Error('service_clock has no row; the database is not migrated')
    zeroMs = row.now.getTime() - elapsedMs()
    frozenAt = row.frozen ? row.now : null
  }

  async function sync(): Promise<void> {
    const before = moves
    const [row] = await rows<ClockRow>(db, read)
    // What was read before a move, and arrives after it, would take the move back.
    if (moves === before) take(row)
  }

  await sync()
  // A failed look keeps the last known offset: the database being away must not stop the clock.
  const timer = setInterval(() => void sync().catch(() => undefined), options.followMs)
  timer.unref()

  return {
    now: () => frozenAt ?? new Date(zeroMs + elapsedMs()),
    async advance(seconds) {
      const moved = await rows<ClockRow>(
        db,
        `update service_clock set offset_ms = offset_ms + :ms, frozen_at = frozen_at + :ms * interval '1 millisecond'
          returning coalesce(frozen_at, statement_timestamp() + offset_ms * interval '1 millisecond') as now,
                    frozen_at is not null as frozen`,
        { ms: Math.round(seconds * 1000) },
      )
      moves += 1
      take(moved[0])
      return moved[0]?.now ?? new Date(Number.NaN)
    },
    async freeze() {
      await db.raw('update service_clock set frozen_at = service_now()')
      moves += 1
      await sync()
    },
    sync,
    stop: () => clearInterval(timer),
  }
}
