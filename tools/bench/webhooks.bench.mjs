// How many webhooks a second are delivered, from due to stored, against a bare loop that posts the same bodies and does
// nothing else.
import { createRequire } from 'node:module'
import { measureRounds, ratios } from './results/report.mjs'
import { nthOf, withService } from './support/harness.mjs'
import { startProgram } from './support/programs.mjs'
import { deliverOurs, env, eventData, subscriber } from './webhooks/ours.mjs'

const server = new URL('../../packages/server/package.json', import.meta.url)
/** @type {typeof import('../../packages/server/node_modules/undici/types/index.js')} */
const { Agent, request } = createRequire(server)('undici')

/** Enough for half a second and more: the first and the last moments, in which few are under way, weigh little then. */
const deliveries = 10_000
const bareConnections = 64
/** A single round varies by a tenth. */
const rounds = 13

const most = 50

const receiver = await startProgram(new URL('webhooks/receiver.mjs', import.meta.url), {}, [String(most)])
try {
  await withService(env, async (harness) => {
    for (const organizations of [1, most]) {
      // Each organization has an address of its own.
      const urls = receiver.addresses.slice(0, organizations).map((address) => `${address}/hook`)
      /** @type {string[]} */
      const ids = []
      for (const url of urls) ids.push(await subscriber(harness, url))
      const found = await measureRounds(
        {
          ours: () => deliverOurs(harness, ids, deliveries),
          'a bare loop': () => postBare(urls),
        },
        rounds,
      )
      const what = `webhooks delivered for ${organizations} organization(s)`
      ratios(what, found, { unit: 'a second', targets: { 'a bare loop': 0.5 } })
    }
  })
} finally {
  await receiver.stop()
}

/** @param {string[]} urls */
async function postBare(urls) {
  const agent = new Agent({ connections: bareConnections })
  const bodies = Array.from({ length: deliveries }, (_, n) =>
    JSON.stringify({ event: 'message.delivered', data: eventData(n), timestamp: new Date().toISOString() }),
  )
  const began = performance.now()
  await Promise.all(
    Array.from({ length: bareConnections }, async () => {
      for (let body = bodies.pop(); body !== undefined; body = bodies.pop()) {
        const answer = await request(nthOf(urls, bodies.length), {
          method: 'POST',
          dispatcher: agent,
          headers: { 'content-type': 'application/json' },
          body,
        })
        await answer.body.dump()
      }
    }),
  )
  const took = performance.now() - began
  await agent.close()
  return deliveries / (took / 1000)
}
