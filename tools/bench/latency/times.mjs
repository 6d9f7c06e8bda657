// When things happened in a program that a benchmark starts, for the benchmark: it reads them over HTTP, and ends the
// program so.
import { once } from 'node:events'
import { createServer } from 'node:http'

/** @import { AddressInfo } from 'node:net' */

/** Returns milliseconds of a clock that all processes of the machine share. */
export const now = () => Number(process.hrtime.bigint()) / 1e6

/**
 * Serves what `mark` noted since it was read last. `stopped` resolves when the benchmark wants the end, which it sees
 * when its connection closes.
 * @param {() => unknown} [setup] what the benchmark reads once
 */
export async function serveTimes(setup = () => ({})) {
  /** @type {Record<string, number>} */
  let times = {}
  /** @type {() => void} */
  let stop = () => {}
  /** @type {Promise<void>} */
  const stopped = new Promise((resolve) => {
    stop = resolve
  })
  const server = createServer(({ url }, response) => {
    if (url === '/stop') return stop()
    response.end(JSON.stringify(url === '/setup' ? setup() : times))
    if (url === '/times') times = {}
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = /** @type {AddressInfo} */ (server.address())
  return {
    address: `http://127.0.0.1:${port}`,
    stopped,
    /** @param {string | number} id */
    mark(id) {
      times[id] = now()
    },
  }
}
