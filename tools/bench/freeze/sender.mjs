// Sends one large body after the other for freeze/caller.mjs, in a thread of its own: sending 16 MiB blocks the sender.
import { parentPort, workerData } from 'node:worker_threads'

/** @import { MessagePort } from 'node:worker_threads' */

/** @type {{ address: string, attacker: string }} */
const { address, attacker } = workerData
const parent = /** @type {MessagePort} */ (parentPort)
/** @param {string} entry @param {number} count */
const list = (entry, count) => `[${Array(count).fill(entry).join(',')}]`
/** @param {number} count */
const fields = (count) => Array.from({ length: count }, (_, n) => `"f${n}":1`).join(',')
/** @param {string} inner */
const recipients = (inner) => `{"name":"x","template":"{{k1}}","recipients":${inner}}`
/** @param {number} count @param {number} variables */
const people = (count, variables) =>
  JSON.stringify(
    Array.from({ length: count }, (_, n) => ({
      phone: `+49151${String(n).padStart(8, '0')}`,
      variables: Object.fromEntries(Array.from({ length: variables }, (_, k) => [`k${k}`, `value ${n}`])),
    })),
  )

/** @type {[what: string, path: string, body: string][]} */
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

/** @param {string} path @param {Buffer} body */
async function send(path, body) {
  const headers = { 'x-api-key': attacker, 'content-type': 'application/json' }
  const response = await fetch(`${address}/api/v1${path}`, { method: 'POST', headers, body })
  await response.arrayBuffer()
  return response.status
}

parent.on('message', async (n) => {
  const one = bodies[n]
  if (!one) return parent.postMessage(null)
  const [what, path, body] = one
  const bytes = Buffer.from(body)
  // The reader starts to measure before the body is sent.
  parent.postMessage({ what })
  parent.postMessage({ what, status: await send(path, bytes).catch(() => 'closed') })
})
