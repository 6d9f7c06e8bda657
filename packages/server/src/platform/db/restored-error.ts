/** SQLSTATE of a server that accepts no connections now: callers wait and retry, as while the database starts. */
const cannotConnectNow = '57P03'

/** Thrown for each connection to a database that was restored from a backup, until the operator has answered. */
export class RestoredDatabaseError extends Error {
  readonly code = cannotConnectNow

  constructor() {
    super(
      'This database was restored from a backup or copied, so it may hold messages that were sent already. ' +
        'Nothing is sent from it until you run: msgctl-server after-restore',
    )
    this.name = 'RestoredDatabaseError'
  }
}

/** SQL: one column, whether the database was restored and the operator has not answered yet. */
export const restoredQuery = 'select is_restored() as restored'
