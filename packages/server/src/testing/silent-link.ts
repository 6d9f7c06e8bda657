import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket, connect as toServer } from 'node:net'
import { cleanUpAfterFile } from './cleanup.ts'

/** A network before a database, on which connections stop carrying anything without being closed. */
export interface SilentLink {
  /** The database as it is reached through the link. */
  readonly url: string
  /** How many connections are open. */
  open(): number
  /** Swallows every byte of the connections that are open. Later ones work, unless `all` makes them silent too. */
  silence(all?: boolean): void
  /** Lets later connections work again, and resets those that were opened since. The others stay silent. */
  repair(): void
}

/** Starts a link to the database at `databaseUrl`. It ends after the tests of the file. */
export async function startSilentLink(databaseUrl: string): Promise<SilentLink> {
  const { hostname, port } = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  const isSilent = new WeakSet<Socket>()
  const openedSilent = new Set<Socket>()
  let isAllSilent = false
  function pass(from: Socket, to: Socket): void {
    from.on('data', (chunk: Buffer) => {
      if (!isSilent.has(from)) to.write(chunk)
    })
    from.on('error', () => to.destroy())
    from.on('close', () => {
      sockets.delete(from)
      to.destroy()
    })
    sockets.add(from)
    if (!isAllSilent) return
    isSilent.add(from)
    openedSilent.add(from)
  }
  const server = createServer((client) => {
    const database = toServer(Number(port), hostname)
    pass(client, database)
    pass(database, client)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanUpAfterFile(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  const url = new URL(databaseUrl)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    open: () => sockets.size / 2,
    silence(all = false) {
      isAllSilent = all
      for (const socket of sockets) isSilent.add(socket)
    },
    repair() {
      isAllSilent = false
      for (const socket of openedSilent) socket.destroy()
    },
  }
}
