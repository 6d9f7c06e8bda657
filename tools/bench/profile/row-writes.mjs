// How many rows are inserted, updated and deleted, by the counters of Postgres.

/** @import { Db } from '@msgctl/server/platform/db/db' */

/** @typedef {[name: string, count: number]} RowWrite What was done to which table, and how often. */

/** A session that is idle for ten seconds shows its counters to the others. */
const untilFlushedMs = 11_000

/**
 * Returns the rows written to each table so far, or since `before`, which is an earlier result: pairs of what was done
 * and how often, the most frequent first.
 * @param {Db} db
 * @param {RowWrite[]} [before]
 * @returns {Promise<RowWrite[]>}
 */
export async function rowWrites(db, before = []) {
  await new Promise((resolve) => setTimeout(resolve, untilFlushedMs))
  /** @type {{ rows: { name: string, count: number }[] }} */
  const { rows } = await db.raw(
    `select relname || ', ' || kind as name, count::int8 as count
       from pg_stat_user_tables
      cross join lateral (values ('inserted', n_tup_ins), ('updated', n_tup_upd),
          ('deleted', n_tup_del)) as done (kind, count)`,
  )
  const earlier = new Map(before)
  return rows
    .map(({ name, count }) => /** @type {RowWrite} */ ([name, count - (earlier.get(name) ?? 0)]))
    .filter(([, count]) => count > 0)
    .sort(([, a], [, b]) => b - a)
}
