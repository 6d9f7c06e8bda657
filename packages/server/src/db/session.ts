import type pg from 'pg'

/** The connection as Knex keeps it in its pool: with the id that its events carry. */
type PooledConnection = pg.Client & { readonly __knexUid: string }

/** SQLSTATE of a change in a session that is read-only. */
const readOnly = '25006'

/**
 * Returns the statements that prepare a new session. They are sent after the connection is made: a pooler such as
 * PgBouncer refuses startup parameters that it does not know, or drops them.
 */
export function sessionSettings(statementTimeoutMs: number): string {
  return [
    "set timezone = 'UTC'",
    `set statement_timeout = ${statementTimeoutMs}`,
    // A transaction that its owner forgot would hold its locks for ever.
    'set idle_in_transaction_session_timeout = 60000',
    // Compiling a plan takes longer than any of our statements.
    'set jit = off',
  ].join('; ')
}

/**
 * Prepares the sessions of one pool, and takes out of the pool those that turn out to be read-only: a session keeps the
 * setting with which it began, also after the database accepts changes again. Costs nothing while statements succeed.
 */
export function watchSessions(settings: string) {
  const open = new Map<string, PooledConnection>()
  return {
    /** Knex's hook for a new connection. */
    begin(connection: PooledConnection, done: (error: Error | null) => void): void {
      connection.query(settings).then(
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
      // Knex closes a connection that has reported an error once it comes back to the pool.
      if (error.code === readOnly) open.get(statement.__knexUid)?.emit('error', error)
    },
  }
}
