// What the limit of webhooks is made of, for one organization. Writes docs/performance/webhooks.svg, and prints the
// tables. Run it by `npm run proof -- profile`.
import { withService } from '../support/harness.mjs'
import { startProgram } from '../support/programs.mjs'
import { deliverOurs, env, subscriber } from '../webhooks/ours.mjs'
import { openRecorder, report } from './recorder.mjs'
import { statementSettings } from './statements.mjs'

const deliveries = 20_000
const warmUps = 4

/** @type {import('./recorder.mjs').Part[]} */
const parts = [
  ['undici: requests and responses', /node_modules\/undici\//],
  ['signature, headers and body', /webhook\/signing\//],
  ['claims, slots and attempts', /webhook\/delivery\/(deliver|attempt|concurrency)|public-address\/|concurrency\//],
  ['outcomes', /webhook\/delivery\/outcome/],
  ['metrics', /metrics|prom-client/],
]

const receiver = await startProgram(new URL('../webhooks/receiver.mjs', import.meta.url), {})
try {
  await withService(
    env,
    async (harness) => {
      const ids = [await subscriber(harness, `${receiver.address}/hook`)]
      for (let n = 0; n < warmUps; n += 1) await deliverOurs(harness, ids, deliveries)
      const recorder = await openRecorder(harness.db)
      const rate = await deliverOurs(harness, ids, deliveries, { begin: recorder.start })
      const recorded = await recorder.stop()
      console.log(`${rate.toFixed(0)} webhooks a second; for each:`)
      report(recorded, {
        name: 'webhooks',
        title: `The process while ${deliveries} webhooks are delivered`,
        count: deliveries,
        parts,
      })
    },
    { settings: statementSettings },
  )
} finally {
  await receiver.stop()
}
