import type { LimitKey } from '#api/access/limit-key.ts'
import { type Db, preparedRows, rows, serviceNow } from '#platform/db/db.ts'
import { lazily } from '#platform/db/lazily.ts'

/** The state of a window of attempts; `retryAfterSeconds` is whole, rounded up. */
export interface AttemptWindow {
  readonly attempts: number
  readonly retryAfterSeconds: number
}

/**
 * Counts one attempt in the window of `key`, which starts with its first attempt. The attempt numbered `lockAfter`
 * restarts the window, so that a lock lasts for all of it. Attempts during the lock do not prolong it.
 */
export function incrementAttempts(
  db: Db,
  { bucket }: LimitKey,
  windowSeconds: number,
  lockAfter: number | null = null,
): Promise<AttemptWindow> {
  return increment(db, '', { bucket, windowSeconds, lockAfter, count: 1 })
}

/** Counts attempts like {@link incrementAttempts}, without waiting for the disk. Pass the pool, see {@link lazily}. */
export function incrementLazily(
  db: Db,
  { bucket }: LimitKey,
  windowSeconds: number,
  count = 1,
): Promise<AttemptWindow> {
  return increment(db, `from ${lazily}`, { bucket, windowSeconds, lockAfter: null, count })
}

async function increment(db: Db, from: string, attempt: Record<string, unknown>): Promise<AttemptWindow> {
  const [counted] = await preparedRows<AttemptWindow>(
    db,
    `insert into attempt_windows as w (bucket, attempts, ends_at)
     select :bucket, :count::int, (select service_now()) + :windowSeconds::int * interval '1 second' ${from}
     on conflict (bucket) do update set
       attempts = case when w.ends_at <= (select service_now()) then excluded.attempts
                       else w.attempts + excluded.attempts end,
       ends_at = case when w.ends_at <= (select service_now()) or w.attempts + excluded.attempts = :lockAfter::int
                      then excluded.ends_at else w.ends_at end
     returning attempts, ceil(extract(epoch from ends_at - (select service_now())))::int as retry_after_seconds`,
    attempt,
  )
  if (!counted) throw new Error('counting an attempt returned no row')
  return counted
}

/** Returns when the window of a key ends that has `attempts` or more; null when there is none. */
export async function findFullWindow(db: Db, { bucket }: LimitKey, attempts: number): Promise<Date | null> {
  const [found] = await rows<{ endsAt: Date }>(
    db,
    `select ends_at from attempt_windows
      where bucket = :bucket and attempts >= :attempts and ends_at > (select service_now())`,
    { bucket, attempts },
  )
  return found?.endsAt ?? null
}

/** Takes back one attempt. */
export async function decrementAttempts(db: Db, { bucket }: LimitKey): Promise<void> {
  await db('attempt_windows').where({ bucket }).where('attempts', '>', 0).decrement('attempts', 1)
}

/** Deletes the window of a key. */
export async function deleteAttempts(db: Db, { bucket }: LimitKey): Promise<void> {
  await db('attempt_windows').where({ bucket }).delete()
}

/** Deletes up to `limit` windows that have ended. Returns how many there were. */
export async function deleteEndedWindows(db: Db, limit: number): Promise<number> {
  const ended = db('attempt_windows').select('bucket').where('endsAt', '<', serviceNow(db)).limit(limit)
  return db('attempt_windows').whereIn('bucket', ended).delete()
}
