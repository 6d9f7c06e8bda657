// Reads for freeze.bench.mjs while sender.mjs sends. Each has a thread of its own, so that the reader measures the
// service and not itself.
import { on, once } from 'node:events'
import { parentPort, Worker, workerData } from 'node:worker_threads'

const { address, other } = workerData
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

/** The slowest GET /me of the other organization while body `n` is sent; null when there is no such body. */
async function slowestRead(n) {
  sender.postMessage(n)
  if ((await nextMessage()) === null) return null
  let ended = null
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
  const reads = []
  for (let run = 0; run < runs; run++) reads.push(await slowestRead(n))
  if (reads[0] === null) break
  const { what, status } = reads[0]
  const slowest = reads.map((read) => read.slowest).sort((a, b) => a - b)[1]
  parentPort.postMessage({ what, status, slowest })
}
await sender.terminate()
parentPort.postMessage(null)
