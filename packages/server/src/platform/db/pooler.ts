import pg from 'pg'

/** Names the session of the database that runs the statement; no other session has this name. */
const sessionName = `select pg_backend_pid() || ' of ' || pg_postmaster_start_time() as name`
const groupByInterval = 3
const timeoutMs = 10_000

/**
 * Returns whether the connections of `url` share the sessions of the database, as they do through a pooler in
 * transaction mode. Settings, prepared statements and LISTEN of a session then reach other connections, or are lost.
 *
 * A pooler hands the session of an idle connection to one that begins a transaction. So one of two connections begins
 * some, and the other must keep its session. Throws what pg throws when the database cannot be reached.
 */
export async function sharesSessions(url: string): Promise<boolean> {
  const clients = [open(url), open(url)] as const
  try {
    for (const client of clients) await client.connect()
    for (let round = 0; round < groupByInterval; round++) if (await tradesSession(...clients)) return true
    return false
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)))
  }
}

function open(url: string): pg.Client {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'msgctl start',
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
  })
  // A connection that breaks fails its statement; without a listener it would end the process as well.
  client.on('error', () => undefined)
  return client
}

/** Returns whether `idle` loses its session to `busy`, which begins a transaction. */
async function tradesSession(idle: pg.Client, busy: pg.Client): Promise<boolean> {
  const before = await sessionOf(idle)
  await busy.query('begin')
  const trades = (await sessionOf(busy)) === before || (await sessionOf(idle)) !== before
  await busy.query('commit')
  return trades
}

async function sessionOf(client: pg.Client): Promise<string | undefined> {
  const { rows } = await client.query<{ name: string }>(sessionName)
  return rows[0]?.name
}
