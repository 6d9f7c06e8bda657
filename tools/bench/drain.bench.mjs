// How fast queued messages leave, without pace and into a network that takes no time, against queues of jobs that do nothing.
import { drainGraphileWorker, drainPgBoss, inBatches } from './drain/peers.mjs'
import { emptyNetwork, enqueue, linkedNumbers, load, quiet, record, withService } from './harness.mjs'
import { measureRounds, median, ratios } from './report.mjs'

const messages = 10_000
/** For a contestant that takes seconds for a thousand; its rate does not depend on how many there are. */
const fewer = 3000
const env = { UNSAFE_DISABLE_PACING: 'true', SIM_SPEED: '0', SIM_AUTOLINK: '1', SIM_CONTROL: '1' }
/** Messages a second, by the count of numbers. */
const least = { 1: 5000, 1000: 15_000 }
const targets = { 'graphile-worker': 1, 'pg-boss': 1 }

const { transaction } = await load('db/db')
const { rollUpChats } = await load('chats/roll-up')
const { copyTexts } = await load('messages/history/text-store')

let handedOver = 0
let seconds = []

for (const numbers of [1, 1000]) {
  await withService(
    env,
    async (harness) => {
      seconds = []
      const made = await linkedNumbers(harness, numbers)
      await quiet(harness)
      const { environment } = harness
      const graphile = await drainGraphileWorker(environment.DATABASE_URL, fewer)
      const batching = await drainGraphileWorker(environment.DATABASE_URL, messages, inBatches)
      const boss = await drainPgBoss(environment.DATABASE_URL, messages)
      try {
        const found = await measureRounds({
          ours: () => drainOurs(harness, made),
          'graphile-worker': graphile.measure,
          // Without a target: it keeps nothing of a finished job, and our product is what it leaves out.
          'graphile-worker in batches of 500': batching.measure,
          'pg-boss': boss.measure,
        })
        record(
          `messages sent over ${numbers} number(s), and brought into the search and the chats`,
          messages / median(seconds.slice(1)),
          {
            unit: 'a second',
            digits: 0,
          },
        )
        ratios(`messages sent over ${numbers} number(s)`, found, { unit: 'a second', targets, atLeast: least[numbers] })
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

async function drainOurs(harness, made) {
  const before = handedOver
  // In one transaction, so that nothing leaves before all of it is there.
  await transaction(harness.db, (trx) => enqueue({ ...harness, db: trx }, made, messages))
  const copyMs = await timed(() => copyTexts(harness.db))
  const began = performance.now()
  harness.services.wake.signal('lanes')
  // The database is asked about the end only.
  while (handedOver < before + messages) await new Promise((resolve) => setTimeout(resolve, 5))
  await drained(harness.db)
  const sentMs = performance.now() - began
  const rollUpMs = await timed(() => rollUpAll(harness.db))
  seconds.push((copyMs + sentMs + rollUpMs) / 1000)
  return messages / (sentMs / 1000)
}

async function timed(work) {
  const began = performance.now()
  await work()
  return performance.now() - began
}

// Two periodic jobs bring texts into the search, and sent messages into the chats. Either would run in the time of one
// contestant or another, so both are done outside of it, and their time is in a figure of its own.

async function rollUpAll(db) {
  for (;;) {
    await rollUpChats(db)
    const { rows } = await db.raw('select 1 from chat_changes limit 1')
    if (rows.length === 0) return
  }
}

async function drained(db) {
  for (;;) {
    // By the index of leases: without its order the whole table would be read.
    const { rows } = await db.raw(`select 1 from messages where status = 'sending' order by lease_until limit 1`)
    if (rows.length === 0) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
