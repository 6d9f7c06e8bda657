import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ListenAddress } from './config.ts'

/** Lets a server listen and returns its address as a URL. Rejects when it cannot. */
export async function listen(server: Server, { host, port }: ListenAddress): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  return `http://${host}:${(server.address() as AddressInfo).port}`
}

/** Ends a server and its connections. */
export async function close(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}
