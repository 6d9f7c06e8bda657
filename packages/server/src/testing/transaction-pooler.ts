import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket, connect as toServer } from 'node:net'

/** A pooler in transaction mode, in front of a real Postgres. */
export interface TransactionPooler {
  /** The URL of the database through the pooler. */
  readonly url: string
  /** Ends all its connections. */
  stop(): Promise<void>
}

const readyForQuery = 'Z'.charCodeAt(0)
const terminate = 'X'.charCodeAt(0)
const idleStatus = 'I'.charCodeAt(0)
const headBytes = 5

/** Calls `onIdle` after each message of Postgres that reports a session outside of a transaction. */
function idleReader(onIdle: () => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0)
  return (chunk) => {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= headBytes) {
      const length = 1 + rest.readInt32BE(1)
      if (rest.length < length) return
      const isIdle = rest[0] === readyForQuery && rest[headBytes] === idleStatus
      rest = rest.subarray(length)
      if (isIdle) onIdle()
    }
  }
}

/**
 * Starts a pooler as PgBouncer is in transaction mode: each connection logs in to a session of its own; from then on
 * every transaction of any connection gets the session that was used last.
 */
export async function startTransactionPooler(databaseUrl: string): Promise<TransactionPooler> {
  const { hostname, port } = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  const idle: Socket[] = []
  const holders = new Map<Socket, Socket>()
  const sessions = new Map<Socket, Socket>()

  function hold(client: Socket, session: Socket): Socket {
    holders.set(session, client)
    sessions.set(client, session)
    return session
  }
  function openSession(): Socket {
    const session = toServer({ host: hostname, port: Number(port) })
    const read = idleReader(() => {
      const client = holders.get(session)
      if (!client) return
      holders.delete(session)
      sessions.delete(client)
      idle.push(session)
    })
    session.on('data', (chunk) => {
      holders.get(session)?.write(chunk)
      read(chunk)
    })
    return session
  }
  const server = createServer((client) => {
    const login = hold(client, openSession())
    for (const socket of [client, login]) {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
    }
    client.on('data', (chunk) => {
      if (chunk[0] === terminate) return
      const session = sessions.get(client) ?? idle.pop()
      if (session) hold(client, session).write(chunk)
      else client.destroy()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(databaseUrl)
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    async stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
