// A receiver of webhooks that takes everything at once. It listens at as many addresses as its argument says (default:
// 1), and prints them in one line.
import { once } from 'node:events'
import { createServer } from 'node:http'

/** @import { AddressInfo } from 'node:net' */

async function listen() {
  const server = createServer((request, response) => {
    request.resume()
    request.on('end', () => response.end())
  })
  server.keepAliveTimeout = 60_000
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = /** @type {AddressInfo} */ (server.address())
  return `http://127.0.0.1:${port}`
}

const addresses = await Promise.all(Array.from({ length: Number(process.argv[2] ?? 1) }, listen))
console.log(addresses.join(' '))
