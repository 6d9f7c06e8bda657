import pg from 'pg'

/** The connections of a host to its database, by what waits for them. */
interface Pools {
  /** Keys, commits and what calls read. */
  readonly main: pg.Pool
  /** A renewal must not wait behind commits. */
  readonly leases: pg.Pool
  /** What phones share is large: keys and leases must not wait behind it. */
  readonly history: pg.Pool
  /** The end of a link moves some thousand keys at once. */
  readonly links: pg.Pool
  end(): Promise<void>
}

/** Statements of the vault and the leases must fail long before a lease ends. */
const shortMs = 5000
const [historyMs, linkMs] = [60_000, 30_000]

/** Opens the connections of a host. `onLost` gets the errors of connections that nothing waits for. */
export function openPools(databaseUrl: string, onLost: (error: Error) => void): Pools {
  const open = (max: number, timeoutMs: number) =>
    new pg.Pool({
      connectionString: databaseUrl,
      max,
      statement_timeout: timeoutMs,
      connectionTimeoutMillis: shortMs,
      application_name: 'msgctl gateway host',
    }).on('error', onLost)
  const pools = {
    main: open(8, shortMs),
    leases: open(2, shortMs),
    history: open(2, historyMs),
    links: open(2, linkMs),
  }
  return {
    ...pools,
    async end() {
      await Promise.all(Object.values(pools).map((pool) => pool.end()))
    },
  }
}
