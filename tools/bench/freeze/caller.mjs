// Reads for freeze.bench.mjs while sender.mjs sends. Each has a thread of its own, so that the reader measures the
// service and not itself.
import { on, once } from 'node:events'
import { parentPort, Worker, workerData } from 'node:worker_threads'

/** @import { MessagePort } from 'node:worker_threads' */

/** @typedef {{ what: string, status: number | 'closed' }} Sent */

/** @typedef {Sent & { slowest: number }} SlowestRead */

/** @type {{ address: string, other: string }} */
const { address, other } = workerData
const parent = /** @type {MessagePort} */ (parentPort)
const runs = 3

const sender = new Worker(new URL('sender.mjs', import.meta.url), { workerData })
const fromSender = on(sender, 'message')

async function nextMessage() {
  return (await fromSender.next()).value[0]
}

async function readMe() {
  const response = await fetch(`${address}/api/v1/me`, { headers: { 'x-api-key': other } })
  await response.arrayBuffer()
}

/**
 * The slowest GET /me of the other organization while body `n` is sent; null when there is no such body.
 * @param {number} n
 * @returns {Promise<SlowestRead | null>}
 */
async function slowestRead(n) {
  sender.postMessage(n)
  if ((await nextMessage()) === null) return null
  let ended = /** @type {Sent | null} */ (null)
  const sent = nextMessage().then((message) => {
    ended = message
  })
  let slowest = 0
  while (ended === null) {
    const began = performance.now()
    await readMe()
    slowest = Math.max(slowest, performance.now() - began)
  }
  await sent
  return { ...ended, slowest }
}

await once(sender, 'online')
for (let n = 0; n < 200; n++) await readMe()
for (let n = 0; ; n++) {
  const found = []
  for (let run = 0; run < runs; run++) found.push(await slowestRead(n))
  const reads = found.filter((read) => read !== null)
  const [first] = reads
  if (first === undefined) break
  const { what, status } = first
  const slowest = reads.map((read) => read.slowest).sort((a, b) => a - b)[1]
  parent.postMessage({ what, status, slowest })
}
await sender.terminate()
parent.postMessage(null)
