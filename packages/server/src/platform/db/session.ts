import type pg from 'pg'
import { readInCamelCase } from './names.ts'
import { RestoredDatabaseError, restoredQuery } from './restored-error.ts'

/** The connection as Knex keeps it in its pool: with the id that its events carry. */
type PooledConnection = pg.Client & { readonly __knexUid: string }

/** SQLSTATE of a change in a session that is read-only. */
const readOnly = '25006'
/** How pg reports that a statement got no response in time. Knex puts the statement before it. */
const noResponse = 'Query read timeout'

/** The settings of a session, in the units of Postgres. */
export const usualSettings = {
  timezone: 'UTC',
  statement_timeout: 30_000,
  // A transaction that its owner forgot would hold its locks for ever.
  idle_in_transaction_session_timeout: 60_000,
  // Compiling a plan takes longer than any of our statements.
  jit: 'off',
} as const

/**
 * Returns the statements that prepare a new session. They are sent after the connection is made: a pooler such as
 * PgBouncer refuses startup parameters that it does not know, or drops them.
 */
export function sessionSettings(statementTimeoutMs: number): string {
  return Object.entries({ ...usualSettings, statement_timeout: statementTimeoutMs })
    .map(([name, value]) => `set ${name} = '${value}'`)
    .join('; ')
}

/**
 * Prepares the sessions of one pool, and takes out of the pool those that do not respond, and those that turn out to be
 * read-only: a session keeps the setting with which it began, also after the database accepts changes again. Costs
 * nothing while statements succeed. With null no settings are made. With `refuseRestored` no session begins at a
 * database that was restored without an answer of the operator.
 */
export function watchSessions(settings: string | null, refuseRestored: boolean) {
  const open = new Map<string, PooledConnection>()
  async function prepare(connection: PooledConnection): Promise<void> {
    const text = [settings, refuseRestored ? restoredQuery : null].filter((part) => part !== null).join('; ')
    if (text === '') return
    // Several statements in one text have one result each.
    const results: unknown = await connection.query(text)
    const last = (Array.isArray(results) ? results.at(-1) : results) as pg.QueryResult<{ restored: boolean }>
    if (refuseRestored && last.rows[0]?.restored) throw new RestoredDatabaseError()
  }
  return {
    /** Knex's hook for a new connection. */
    begin(connection: PooledConnection, done: (error: Error | null) => void): void {
      readInCamelCase(connection)
      prepare(connection).then(
        () => {
          open.set(connection.__knexUid, connection)
          connection.once('end', () => open.delete(connection.__knexUid))
          done(null)
        },
        (error: Error) => {
          connection.end().catch(() => undefined)
          done(error)
        },
      )
    },
    /** Knex's event of a statement that failed. */
    judge(error: Error & { readonly code?: string }, statement: { readonly __knexUid: string }): void {
      const connection = open.get(statement.__knexUid)
      // Knex closes a connection that has reported an error once it comes back to the pool.
      if (error.code === readOnly) connection?.emit('error', error)
      if (!error.message.endsWith(noResponse)) return
      // The statement may still run. What its transaction sends next would wait behind it: this breaks the connection.
      connection?.emit('error', error)
      connection?.end().catch(() => undefined)
    },
  }
}

/** The setting by which the triggers know a deletion that counts and logs let pass, within one transaction. */
export const purging = `select set_config('msgctl.purge', 'on', true)`
