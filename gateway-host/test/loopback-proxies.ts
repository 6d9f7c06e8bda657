import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { cleanUpAfterFile } from '@msgctl/server/testing/cleanup'

/** A proxy on the loopback address that demands a password. */
export interface LoopbackProxy {
  /** With the name and the password. */
  readonly address: string
  /** Where connections went through it, as `host:port`. */
  readonly targets: string[]
}

const [name, password] = ['number', 'secret']

async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanUpAfterFile(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

function join(client: Socket, host: string, port: number, ready: () => void): void {
  const target = connect(port, host, ready)
  target.on('error', () => client.destroy()).on('close', () => client.destroy())
  client.on('error', () => target.destroy()).on('close', () => target.destroy())
  client.pipe(target).pipe(client)
}

/** Starts an HTTP proxy that takes CONNECT. */
export async function startHttpProxy(): Promise<LoopbackProxy> {
  const targets: string[] = []
  const wanted = `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`
  const server = createHttpServer()
  server.on('connect', (request, client: Socket) => {
    if (request.headers['proxy-authorization'] !== wanted) return client.end('HTTP/1.1 407 Who are you\r\n\r\n')
    targets.push(request.url ?? '')
    const { hostname, port } = new URL(`http://${request.url}`)
    join(client, hostname, Number(port), () => client.write('HTTP/1.1 200 Connected\r\n\r\n'))
  })
  return { address: `http://${name}:${password}@127.0.0.1:${await listen(server)}`, targets }
}

/** Starts an HTTP proxy that responds to every CONNECT with a status. Returns its address. */
export async function startRefusingProxy(status: number): Promise<string> {
  const server = createHttpServer()
  server.on('connect', (_request, client: Socket) => {
    client.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`)
  })
  return `http://127.0.0.1:${await listen(server)}`
}

/**
 * Starts a SOCKS proxy of version 5 (RFC 1928 and 1929). It reads each message as one part, as the loopback delivers
 * it.
 */
export async function startSocksProxy(): Promise<LoopbackProxy> {
  const targets: string[] = []
  const server = createServer(async (client) => {
    const next = async () => (await once(client, 'data'))[0] as Buffer
    try {
      await next()
      client.write(Buffer.from([5, 2]))
      const login = await next()
      const given = login.subarray(2, 2 + name.length).toString() + login.subarray(3 + name.length).toString()
      if (given !== name + password) return client.end(Buffer.from([1, 1]))
      client.write(Buffer.from([1, 0]))
      const request = await next()
      const { host, port } = targetOf(request)
      targets.push(`${host}:${port}`)
      client.pause()
      join(client, host, port, () => client.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0])))
    } catch {
      client.destroy()
    }
  })
  return { address: `socks5://${name}:${password}@127.0.0.1:${await listen(server)}`, targets }
}

/** Returns where a request wants to go: by a name, or by an address of version 4. */
function targetOf(request: Buffer): { host: string; port: number } {
  const port = request.readUInt16BE(request.length - 2)
  const isName = request[3] === 3
  const host = isName ? request.subarray(5, -2).toString() : [...request.subarray(4, 8)].join('.')
  return { host, port }
}
