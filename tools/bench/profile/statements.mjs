// The statements that Postgres executed, by pg_stat_statements.

/** @import { Db } from '@msgctl/server/platform/db/db' */

/** @typedef {{ what: string, calls: number, ms: number }} StatementTime The calls and the time of a statement. */

/** Settings of a Postgres that counts its statements. */
export const statementSettings = { shared_preload_libraries: 'pg_stat_statements' }

/**
 * Makes Postgres count its statements from now on.
 * @param {Db} db
 */
export async function resetStatements(db) {
  await db.raw('create extension if not exists pg_stat_statements')
  await db.raw('select pg_stat_statements_reset()')
}

/**
 * Returns the statements that took the most time since then, by their beginning.
 * @param {Db} db
 * @param {number} [most]
 * @returns {Promise<StatementTime[]>}
 */
export async function readStatements(db, most = 8) {
  const { rows } = await db.raw(
    `select left(regexp_replace(query, '\\s+', ' ', 'g'), 90) as what, calls, total_exec_time as ms
       from pg_stat_statements where query not like '%pg_stat_%' order by total_exec_time desc limit ${Number(most)}`,
  )
  return rows
}
