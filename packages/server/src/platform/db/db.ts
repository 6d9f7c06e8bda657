import { setTimeout as wait } from 'node:timers/promises'
import knex, { type Knex } from 'knex'
import pg from 'pg'
import { snakeName } from './names.ts'
import { executePrepared, preparedStatement } from './prepared.ts'
import { rowWatch } from './row-watch.ts'
import { sessionSettings, watchSessions } from './session.ts'
import type {} from './tables.ts'

/** A pool of connections, or an open transaction on one of them: whatever can run SQL. */
export type Db = Knex

/** Settings of one pool. */
export interface ConnectOptions {
  /** The most connections (default: 10). */
  poolMax?: number
  /** The name under which the pool shows in `pg_stat_activity`. */
  applicationName?: string
  /** The server ends a statement that runs longer (default: 30,000 ms); 0 for no limit. */
  statementTimeoutMs?: number
  /**
   * How long a statement may have no response before its connection is broken (default: no limit). The server ends a
   * long statement by itself, but not one that it never received, or whose response was lost.
   */
  responseTimeoutMs?: number
  /** How long opening a connection, or waiting for a free one, may take (default: 10,000 ms). */
  connectTimeoutMs?: number
  /**
   * False: sessions are shared through a pooler in transaction mode. Nothing is set in or prepared for them (default:
   * true).
   */
  prepared?: boolean
  /** Opens no connection to a database that was restored without an answer of the operator (default: false). */
  refuseRestored?: boolean
  /** Called for each lost connection (default: nothing). They are replaced automatically. */
  onWarning?: (message: string) => void
}

/**
 * Opens a pool to the database at `url` (`postgres://user:password@host:port/name`). Nothing is contacted before the
 * first query. Sessions run in UTC. `timestamptz` arrives as Date, `int8` (so `count(*)`) as number, `date` as
 * 'YYYY-MM-DD', `numeric` as string. The column `container_id` arrives as `containerId`, and the query builder knows it
 * by that name; JSON values keep their names. Errors of a query carry the SQL text with its placeholders, never the
 * values: those may be secrets or message text. These settings are made by `set` in each new session, not as startup
 * parameters, which poolers refuse or drop. Shared sessions have them from their role. The caller ends the pool with
 * `await db.destroy()`.
 */
export function connect(url: string, options: ConnectOptions = {}): Db {
  const connectTimeoutMs = options.connectTimeoutMs ?? 10_000
  const warn = options.onWarning ?? (() => {})
  const prepared = options.prepared ?? true
  const sessions = watchSessions(
    prepared ? sessionSettings(options.statementTimeoutMs ?? 30_000) : null,
    options.refuseRestored ?? false,
  )
  const db = refusingOnceClosed(
    knex({
      client: 'pg',
      // Not in the types of Knex, which reads it: `db.userParams`, in transactions too.
      ...{ userParams: { prepared } },
      // Knex puts an error listener on every connection it opens and drops a broken one before it is used again;
      // that is what lets the process outlive a restart of the database.
      connection: {
        connectionString: url,
        application_name: options.applicationName ?? 'msgctl',
        connectionTimeoutMillis: connectTimeoutMs,
        keepAlive: true,
        query_timeout: options.responseTimeoutMs ?? 0,
        types: { getTypeParser },
      } as Knex.PgConnectionConfig,
      pool: { min: 0, max: options.poolMax ?? 10, idleTimeoutMillis: 30_000, afterCreate: sessions.begin },
      acquireConnectionTimeout: connectTimeoutMs,
      wrapIdentifier: (name, quote) => quote(snakeName(name)),
      compileSqlOnError: false,
      log: { warn, error: warn, deprecate: warn, debug() {} },
    }),
  )
  db.on('query-error', sessions.judge)
  return db
}

/**
 * A pool that is being closed gives no connection any more, yet makes callers wait for the whole time limit. With this,
 * late work at the end of a process fails at once.
 */
function refusingOnceClosed(db: Db): Db {
  const { client } = db
  const acquire = client.acquireConnection.bind(client)
  const destroy = client.destroy.bind(client)
  let isClosed = false
  client.acquireConnection = async () => {
    if (isClosed) throw new Error('the database pool is closed')
    return acquire()
  }
  client.destroy = (...args: unknown[]) => {
    isClosed = true
    return destroy(...args)
  }
  return db
}

/**
 * Runs one SQL statement and returns its rows. Values are bound by name: `rows(db, 'select :id::uuid as id', { id })`.
 *
 * What Knex does with the text, and what follows for the SQL:
 * - `:name` is a binding when `bindings` has that name, and stays as it is otherwise (so `'12:30'` is safe); `::uuid`
 *   is a cast.
 * - `:name:` is an identifier, quoted, not a value: do not put a colon behind a binding. Array slices are
 *   `[:from : :to]`.
 * - `?` is a positional placeholder wherever it stands, in comments and literals too. Write the jsonb operators as
 *   `\\?`, `\\?|`, `\\?&` (or use `jsonb_exists`); a bare one is refused here, because it would shift the values.
 * - An array is bound as a Postgres array (`= any(:ids::uuid[])`). An array that shall be jsonb needs `JSON.stringify`;
 *   an object does not.
 * - `undefined` is refused by Knex: use `null`.
 */
export async function rows<T extends object>(
  db: Db,
  sql: string,
  bindings: Record<string, unknown> = {},
): Promise<T[]> {
  requireNamed(sql)
  const read = rowWatch.begin?.(rows)
  const result: pg.QueryResult = await db.raw(sql, bindings as Knex.ValueDict)
  read?.(result)
  return result.rows
}

/** Runs one SQL statement like {@link rows}, and returns its first row. */
export async function firstRow<T extends object>(
  db: Db,
  sql: string,
  bindings: Record<string, unknown> = {},
): Promise<T | undefined> {
  const [first] = await rows<T>(db, sql, bindings)
  return first
}

/** Returns the time of the service, `offsetMs` later, as a value for a statement of the query builder. */
export function serviceNow(db: Db, offsetMs = 0): Knex.Raw<Date> {
  if (offsetMs === 0) return db.raw('(select service_now())')
  return db.raw(`(select service_now()) + ? * interval '1 millisecond'`, [offsetMs])
}

/** Returns how many rows a query of the query builder selects. */
export async function countRows(query: Knex.QueryBuilder): Promise<number> {
  const [counted] = await query.count({ count: '*' })
  return Number(counted.count)
}

/**
 * Does the same for a statement that runs many times a second: each connection has it parsed and planned once, which is
 * half of what a small statement costs. Only for a text that never varies, and where one plan is right for all values.
 */
export async function preparedRows<T extends object>(
  db: Db,
  sql: string,
  bindings: Record<string, unknown> = {},
): Promise<T[]> {
  // In shared sessions nothing can be prepared.
  if (db.userParams.prepared === false) return rows(db, sql, bindings)
  const read = rowWatch.begin?.(preparedRows)
  const result = await executePrepared(db, preparedStatement(db, sql, Object.keys(bindings)), bindings)
  read?.(result)
  return result.rows
}

function requireNamed(sql: string): void {
  if (/(?<!\\)\?/.test(sql))
    throw new Error('a bare ? in SQL is taken for a placeholder: write \\? or use jsonb_exists()')
}

const serializationFailure = '40001'
const deadlockDetected = '40P01'
const statementTooLong = '57014'
const maxAttempts = 6

/**
 * Runs `fn` in one READ COMMITTED transaction: commits when it resolves, rolls back when it throws.
 * After a deadlock or a serialization failure the whole of `fn` runs again, up to six times in all with a growing
 * random wait (at most 10, 20, 40 ms ...), so `fn` must have no effect outside the database. The last error is thrown
 * as it is. Inside an open transaction `fn` joins that one, whose owner retries.
 */
export async function transaction<T>(db: Db, fn: (trx: Db) => Promise<T>): Promise<T> {
  if (db.isTransaction) return fn(db)
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction(fn, { isolationLevel: 'read committed' })
    } catch (error) {
      if (attempt === maxAttempts || !mayRetry(error)) throw error
      await wait(Math.random() * 5 * 2 ** attempt)
    }
  }
}

/** Returns an error after which the whole of a {@link transaction} runs again, as after a deadlock. */
export function beginAgain(reason: string): Error {
  return Object.assign(new Error(reason), { code: serializationFailure })
}

/** Lets the statements of this transaction run as long as they need. */
export async function liftTimeLimit(trx: Db): Promise<void> {
  await trx.raw('set local statement_timeout = 0')
}

/**
 * Runs `fn` in a transaction in which each statement may take so long. Returns null when one took longer; what `fn` did
 * is then rolled back.
 */
export async function tryWithin<T>(db: Db, timeLimitMs: number, fn: (trx: Db) => Promise<T>): Promise<T | null> {
  try {
    return await transaction(db, async (trx) => {
      await rows(trx, `select set_config('statement_timeout', :limit::text, true)`, { limit: timeLimitMs })
      return fn(trx)
    })
  } catch (error) {
    if (isError(error, statementTooLong)) return null
    throw error
  }
}

/**
 * Whether the database understood a statement and said no to its data (data exception, integrity violation): trying the
 * same again cannot help.
 */
export function isRefusal(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return code.startsWith('22') || code.startsWith('23')
}

function mayRetry(error: unknown): boolean {
  return isError(error, serializationFailure) || isError(error, deadlockDetected)
}

function isError(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

type TypeParser = (text: string) => unknown

/**
 * Parsers for our pools alone, by the type's oid; pg's own table is global and other pools of the process may use it.
 */
const parsers: Record<number, TypeParser> = {
  20: integer,
  1016: integers,
  1082: (text) => text,
}

function getTypeParser(oid: number, format?: 'text' | 'binary'): TypeParser {
  const own = format === 'binary' ? undefined : parsers[oid]
  return own ?? (pg.types.getTypeParser(oid, format as 'text') as TypeParser)
}

function integer(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`int8 ${text} does not fit a JavaScript number`)
  return value
}

function integers(text: string): (number | null)[] {
  const items = text.slice(1, -1)
  return items === '' ? [] : items.split(',').map((item) => (item === 'NULL' ? null : integer(item)))
}
