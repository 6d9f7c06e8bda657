// Locks that a forgotten session holds in the database.
import { start } from './programs.mjs'

/**
 * Starts psql with a transaction that holds a table for some seconds.
 *
 * @param {string} databaseUrl
 * @param {string} table
 * @param {number} seconds
 */
export function holdLock(databaseUrl, table, seconds) {
  const statements = ['begin', `lock table ${table} in access exclusive mode`, `select pg_sleep(${seconds})`, 'commit']
  return start('psql', [databaseUrl, '-q', ...statements.flatMap((each) => ['-c', each])])
}
