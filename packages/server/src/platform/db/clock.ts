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
  /**
   * Returns by how many milliseconds the clock of this machine is ahead of the database's at least; negative when it is
   * behind. A step of the machine's clock shows at once, without a query.
   */
  aheadMs(): number
  stop(): void
}

interface ClockRow {
  now: Date
  frozen: boolean
}

const read = `select service_now() as now, frozen_at is not null as frozen,
                     (extract(epoch from statement_timestamp()) * 1000)::float8 as database_ms from service_clock`

/** How far the clock of a machine may differ from the database's before it counts as wrong. */
const toleratedMs = 5000

/** Returns what is wrong with a clock that is `aheadMs` ahead of the database's; null when it is right. */
export function describeWrongClock(aheadMs: number): string | null {
  if (Math.abs(aheadMs) <= toleratedMs) return null
  const seconds = Math.round(Math.abs(aheadMs) / 1000)
  return `The clock of this machine is ${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} the database's`
}

/** How a clock follows the database's. */
export interface ClockOptions {
  /** How often the database is read: each second where the clock can be moved, rarely where only drift counts. */
  readonly followMs: number
  /** Milliseconds since any fixed moment (default: performance.now). It must not step, as the machine's clock may. */
  readonly elapsedMs?: () => number
  /** The clock of this machine, in Unix milliseconds (default: Date.now). */
  readonly machineNowMs?: () => number
  /** Called after each reading of the database. */
  readonly onRead?: (clock: Pick<Clock, 'aheadMs'>) => void
}

/** Starts a clock that follows the database's, and counts elapsed time between two readings of it. */
export async function startClock(db: Db, options: ClockOptions): Promise<Clock> {
  const { elapsedMs = () => performance.now(), machineNowMs = Date.now, onRead } = options
  let zeroMs = 0
  let frozenAt: Date | null = null
  let moves = 0
  /** The database's time where `elapsedMs` is 0, at least and at most: it was read between two moments. */
  let databaseZeroMs = { least: 0, most: 0 }

  function aheadMs(): number {
    const machineZeroMs = machineNowMs() - elapsedMs()
    if (machineZeroMs > databaseZeroMs.most) return machineZeroMs - databaseZeroMs.most
    return Math.min(0, machineZeroMs - databaseZeroMs.least)
  }

  function take(row: ClockRow | undefined): void {
    if (!row) throw new Error('service_clock has no row; the database is not migrated')
    zeroMs = row.now.getTime() - elapsedMs()
    frozenAt = row.frozen ? row.now : null
  }

  async function sync(): Promise<void> {
    const before = moves
    const askedMs = elapsedMs()
    const [row] = await rows<ClockRow & { databaseMs: number }>(db, read)
    if (row) databaseZeroMs = { least: row.databaseMs - elapsedMs(), most: row.databaseMs - askedMs }
    // What was read before a move, and arrives after it, would take the move back.
    if (moves === before) take(row)
    onRead?.({ aheadMs })
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
    aheadMs,
    stop: () => clearInterval(timer),
  }
}
