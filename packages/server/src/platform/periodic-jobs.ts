import type { Services } from '#services.ts'
import type { Db } from './db/db.ts'
import type { WorkKind } from './set-aside/kinds.ts'

/** One periodic job: idempotent, usually done well within a minute, catching up from the data. */
export interface PeriodicJob {
  readonly name: string
  readonly everySeconds: number
  /** It runs only where the service takes payments, or where they are simulated; without it everywhere. */
  readonly only?: 'payments' | 'simulated-payments'
  /** The signal after which it runs at once. */
  readonly on?: 'imports' | 'mail' | 'deletions' | 'billing' | 'sim-pay'
  /** An SQL condition: whether it has something to do. While it is false, the job counts as ended without a run. */
  readonly hasWork?: string
  /**
   * The items of organizations that it works on, one by one. Each is set aside by itself; without it, the job itself
   * is.
   */
  readonly items?: WorkKind
  run(services: Services): Promise<void>
}

/** Returns a job that repeats a batch until it returns 0, such as one that deletes what has expired. */
export function repeating(
  name: string,
  some: (db: Db) => Promise<number>,
  { everySeconds = 3600, ...more }: Partial<Pick<PeriodicJob, 'everySeconds' | 'hasWork'>> = {},
): PeriodicJob {
  return { name, everySeconds, ...more, run: ({ db }) => repeatUntilZero(() => some(db)) }
}

/** Repeats a batch until there is nothing left to do. */
export async function repeatUntilZero(some: () => Promise<number>): Promise<void> {
  while ((await some()) > 0);
}

/** The batches of one run: the next run continues, and until then other jobs run. */
const maxBatches = 40

/** Deletes what is older than the days of its setting; without one nothing. */
export async function deleteOlder(days: number | null, some: (days: number) => Promise<number>): Promise<void> {
  if (days === null) return
  for (let batch = 0; batch < maxBatches; batch++) if ((await some(days)) === 0) return
}
