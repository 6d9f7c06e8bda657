// How fast queued messages leave, without pace and into a network that takes no time, against queues of jobs that do nothing.
import { drainGraphileWorker, drainPgBoss, inBatches } from './drain/peers.mjs'
import { emptyNetwork, enqueue, linkedNumbers, quiet, withService } from './ground.mjs'
import { medians, ratios } from './report.mjs'

const messages = 10_000
/** For a contestant that takes seconds for a thousand; its rate does not depend on how many there are. */
const fewer = 3000
const env = { PACING: 'off', SIM_SPEED: '0', SIM_AUTOLINK: '1', SIM_CONTROL: '1' }
const marks = { 'graphile-worker': 1, 'pg-boss': 1 }

let handedOver = 0

for (const numbers of [1, 1000]) {
  await withService(
    env,
    async (ground) => {
      const made = await linkedNumbers(ground, numbers)
      await quiet(ground)
      const { environment } = ground
      const graphile = await drainGraphileWorker(environment.DATABASE_URL, fewer)
      const batching = await drainGraphileWorker(environment.DATABASE_URL, messages, inBatches)
      const boss = await drainPgBoss(environment.DATABASE_URL, messages)
      try {
        const found = await medians({
          ours: () => drainOurs(ground, made),
          'graphile-worker': graphile.measure,
          // It keeps nothing of a job that is done: told for the record, since what it leaves out is the product here.
          'graphile-worker in batches of 500': batching.measure,
          'pg-boss': boss.measure,
        })
        ratios(`messages sent over ${numbers} number(s)`, found, { unit: 'a second', marks, atLeast: 5000 })
      } finally {
        await graphile.stop()
        await batching.stop()
        await boss.stop()
      }
    },
    { gateway: countedNetwork },
  )
}

function countedNetwork(simulator) {
  const network = emptyNetwork(simulator)
  const { send } = network
  return Object.assign(network, {
    send(...args) {
      handedOver += 1
      return send(...args)
    },
  })
}

async function drainOurs(ground, made) {
  await enqueue(ground, made, messages)
  const before = handedOver
  const began = performance.now()
  ground.services.wake.signal('lanes')
  // Asking the database reads the whole table while it is busy, so it is asked about the end only.
  while (handedOver < before + messages) await new Promise((resolve) => setTimeout(resolve, 5))
  await drained(ground.db)
  return messages / ((performance.now() - began) / 1000)
}

async function drained(db) {
  for (;;) {
    const { rows } = await db.raw(`select 1 from messages where status in ('queued', 'sending') limit 1`)
    if (rows.length === 0) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
