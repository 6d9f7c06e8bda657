import { type Db, rows } from '../db/db.ts'

/** What a window of attempts stands at; `retryAfterSeconds` is whole, rounded up. */
export interface AttemptWindow {
  readonly attempts: number
  readonly retryAfterSeconds: number
}

/**
 * Counts one attempt in the window of `bucket`, which begins with its first attempt. With `lockAfter` the attempt of
 * that number begins it anew, so that a lock lasts the whole of it; attempts while it is locked do not prolong it.
 */
export async function incrementAttempts(
  db: Db,
  bucket: string,
  windowSeconds: number,
  lockAfter: number | null = null,
): Promise<AttemptWindow> {
  const [counted] = await rows<AttemptWindow>(
    db,
    `insert into attempt_windows as w (bucket, attempts, ends_at)
     select :bucket, 1, (select service_now()) + :windowSeconds::int * interval '1 second'
     on conflict (bucket) do update set
       attempts = case when w.ends_at <= (select service_now()) then 1 else w.attempts + 1 end,
       ends_at = case when w.ends_at <= (select service_now()) or w.attempts + 1 = :lockAfter::int
                      then excluded.ends_at else w.ends_at end
     returning attempts, ceil(extract(epoch from ends_at - (select service_now())))::int as "retryAfterSeconds"`,
    { bucket, windowSeconds, lockAfter },
  )
  if (!counted) throw new Error('counting an attempt answered no row')
  return counted
}

/** Takes back one attempt of `bucket`. */
export async function decrementAttempts(db: Db, bucket: string): Promise<void> {
  await rows(db, 'update attempt_windows set attempts = attempts - 1 where bucket = :bucket and attempts > 0', {
    bucket,
  })
}

/** Forgets the attempts of `bucket`. */
export async function deleteAttempts(db: Db, bucket: string): Promise<void> {
  await rows(db, 'delete from attempt_windows where bucket = :bucket', { bucket })
}
