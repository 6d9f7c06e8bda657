import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket, connect as toServer } from 'node:net'

/** A network between client and server on which connections break. */
export interface FaultProxy {
  /** Like `http://127.0.0.1:40123`. */
  readonly address: string
  /** How many connections it has reset. */
  resets(): number
  stop(): Promise<void>
}

/** How often, and by which chance in [0, 1), connections break. */
export interface FaultOptions {
  /** Of 100 exchanges of a request and its answer, how many break. */
  readonly percent: number
  readonly random: () => number
}

/** About how many bytes a send and its answer have together, heads included. */
const exchangeBytes = 1_200

/**
 * After how many bytes, in both directions together, a connection breaks: in one exchange of several, anywhere in it.
 */
function breakingPoint({ percent, random }: FaultOptions): number {
  let exchanges = 0
  while (random() * 100 >= percent) exchanges += 1
  return Math.floor((exchanges + random()) * exchangeBytes)
}

/** Carries bytes both ways until the breaking point; the bytes up to it are still handed on. */
function carry(client: Socket, server: Socket, breaksAfter: number, onReset: () => void): void {
  let bytes = 0
  const reset = () => {
    client.resetAndDestroy()
    server.resetAndDestroy()
  }
  const pass = (from: Socket, to: Socket) => {
    from.on('data', (chunk: Buffer) => {
      if (bytes >= breaksAfter) return
      const part = chunk.subarray(0, breaksAfter - bytes)
      bytes += part.length
      if (bytes < breaksAfter) to.write(part)
      else {
        onReset()
        to.write(part, reset)
      }
    })
    from.on('end', () => to.end())
    from.on('error', () => to.destroy())
    from.on('close', () => to.destroy())
  }
  pass(client, server)
  pass(server, client)
}

/** Starts a proxy before the service at `address`, which breaks connections at random places. */
export async function startFaultProxy(address: string, options: FaultOptions): Promise<FaultProxy> {
  const { hostname, port } = new URL(address)
  const open = new Set<Socket>()
  let count = 0
  const proxy = createServer((client) => {
    const server = toServer({ host: hostname, port: Number(port) })
    for (const socket of [client, server]) {
      open.add(socket)
      socket.on('close', () => open.delete(socket))
    }
    carry(client, server, breakingPoint(options), () => {
      count += 1
    })
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  return {
    address: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    resets: () => count,
    async stop() {
      for (const socket of open) socket.destroy()
      proxy.close()
      await once(proxy, 'close')
    },
  }
}
