// The callers of freeze.bench.mjs, in a thread of their own, so that they measure the service and not themselves.
import { parentPort, workerData } from 'node:worker_threads'

const { address, attacker, other } = workerData
const list = (entry, count) => `[${Array(count).fill(entry).join(',')}]`
const fields = (count) => Array.from({ length: count }, (_, n) => `"f${n}":1`).join(',')
const recipients = (inner) => `{"name":"x","template":"{{k1}}","recipients":${inner}}`
const people = (count, variables) =>
  JSON.stringify(
    Array.from({ length: count }, (_, n) => ({
      phone: `+49151${String(n).padStart(8, '0')}`,
      variables: Object.fromEntries(Array.from({ length: variables }, (_, k) => [`k${k}`, `value ${n}`])),
    })),
  )

const bodies = [
  ['nothing', '/alert/send', '{}'],
  [
    'a recipient of 1.2 million variables',
    '/bulk/campaigns',
    recipients(`[{"phone":"+12025550100","variables":{${fields(1_200_000)}}}]`),
  ],
  ['a list of lists, 16 MiB', '/bulk/campaigns', `{"a":${list('[]', 5_500_000)}}`],
  ['empty recipients, 16 MiB', '/bulk/campaigns', recipients(list('{}', 5_500_000))],
  ['1.2 million unknown fields', '/bulk/campaigns', `{${fields(1_200_000)}}`],
  ['1.2 million targets in 5,000 recipients', '/bulk/campaigns', recipients(list(`{${fields(115)}}`, 5000))],
  ['10,000 faulty recipients', '/bulk/campaigns', recipients(list('{}', 10_000))],
  ['16 MiB of text', '/bulk/campaigns', `{"name":"${'x'.repeat(16_000_000)}"}`],
  ['16 MiB of text in one phone', '/recipients/validate', `{"phones":["${' '.repeat(16_000_000)}"]}`],
  ['1 MiB of lists', '/alert/send', `{"a":${list('[]', 330_000)}}`],
  ['9,999 unknown fields', '/alert/send', `{${fields(9999)}}`],
  ['1 MiB of lists to sign-in', '/auth/sign-in', `{"a":${list('[]', 330_000)}}`],
  ['80,000 unknown fields to sign-in', '/auth/sign-in', `{${fields(80_000)}}`],
  ['10,000 recipients with 2 variables (valid)', '/bulk/campaigns/preview', recipients(people(10_000, 2))],
  ['10,000 recipients with 50 variables (valid)', '/bulk/campaigns/preview', recipients(people(10_000, 50))],
]

async function call(method, path, key, body) {
  const headers = { 'x-api-key': key, ...(body ? { 'content-type': 'application/json' } : {}) }
  const response = await fetch(`${address}/api/v1${path}`, { method, headers, body })
  await response.arrayBuffer()
  return response.status
}

/** The slowest GET /me of the other organization while `work` runs. */
async function slowestRead(work) {
  let running = true
  let slowest = 0
  const ended = work().finally(() => {
    running = false
  })
  while (running) {
    const began = performance.now()
    await call('GET', '/me', other)
    slowest = Math.max(slowest, performance.now() - began)
  }
  return { slowest, status: await ended }
}

for (let n = 0; n < 200; n++) await call('GET', '/me', other)
for (const [what, path, body] of bodies) {
  const bytes = Buffer.from(body)
  const reads = []
  for (let n = 0; n < 3; n++)
    reads.push(await slowestRead(() => call('POST', path, attacker, bytes).catch(() => 'closed')))
  const slowest = reads.map((read) => read.slowest).sort((a, b) => a - b)[1]
  parentPort.postMessage({ what, status: reads[0].status, slowest })
}
parentPort.postMessage(null)
