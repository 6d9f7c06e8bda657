// How many webhooks a second are delivered, from due to stored, against the least that durable deliveries cost. Beside
// them a bare loop that posts the same bodies and stores nothing, and deliveries as jobs of pg-boss.
import { measureRounds, ratios } from './results/report.mjs'
import { withService } from './support/harness.mjs'
import { canRunPeers, pgBoss, recordWithoutPeers } from './support/peers.mjs'
import { startProgram } from './support/programs.mjs'
import { openFloor } from './webhooks/floor.mjs'
import { deliverOurs, env, subscriber } from './webhooks/ours.mjs'
import { bodiesOf, connections, postsPerSecond } from './webhooks/post.mjs'

/** @import { Measure } from './results/report.mjs' */

/** Enough for half a second and more: the first and the last moments, in which few are under way, weigh little then. */
const deliveries = 10_000
const floor = 'the durable floor (claim and result in batches)'
const posting = `${pgBoss}, whose jobs post`
/** A single round varies by a tenth. What the others do does not depend on the number of organizations. */
const sizes = [
  { organizations: 1, rounds: process.env.BENCH_BRIEF === undefined ? 11 : 7, withOthers: true },
  { organizations: 50, rounds: 5, withOthers: false },
]
const most = 50

const receiver = await startProgram(new URL('webhooks/receiver.mjs', import.meta.url), {}, [String(most)])
try {
  await withService(env, async (harness) => {
    const { DATABASE_URL } = harness.environment
    const durable = await openFloor(DATABASE_URL, deliveries)
    const boss = canRunPeers ? await (await import('./webhooks/peer.mjs')).openPosting(DATABASE_URL, deliveries) : null
    try {
      for (const { organizations, rounds, withOthers } of sizes) {
        // Each organization has an address of its own.
        const urls = receiver.addresses.slice(0, organizations).map((address) => `${address}/hook`)
        /** @type {string[]} */
        const ids = []
        for (const url of urls) ids.push(await subscriber(harness, url))
        /** @type {Record<string, Measure>} */
        const others = withOthers ? { 'a bare loop': () => postBare(urls) } : {}
        if (withOthers && boss !== null) others[posting] = () => boss.measure(urls)
        const found = await measureRounds(
          { ours: () => deliverOurs(harness, ids, deliveries), [floor]: () => durable.measure(urls), ...others },
          rounds,
        )
        const what = `webhooks delivered for ${organizations} organization(s)`
        ratios(what, found, { unit: 'a second', targets: { [floor]: 1 } })
        if (withOthers && boss === null) recordWithoutPeers(`${what}, against ${posting}`)
      }
    } finally {
      await durable.stop()
      await boss?.stop()
    }
  })
} finally {
  await receiver.stop()
}

/** @param {string[]} urls */
function postBare([url = '']) {
  const bodies = bodiesOf(deliveries)
  return postsPerSecond(deliveries, async (post) => {
    async function keepPosting() {
      for (let body = bodies.pop(); body !== undefined; body = bodies.pop()) await post(url, body, false)
    }
    await Promise.all(Array.from({ length: connections }, keepPosting))
  })
}
