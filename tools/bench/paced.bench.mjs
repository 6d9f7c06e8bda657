// What a service with a thousand linked numbers asks of its database while each sends at its pace of one message a
// second.
import { countQueries, emptyNetwork, enqueue, linkedNumbers, quiet, record, withService } from './support/harness.mjs'

/** @import { Db } from '@msgctl/server/platform/db/db' */

const numbers = 1000
const isBrief = process.env.BENCH_BRIEF !== undefined
const warmUpSeconds = 15
/**
 * In a run of all benchmarks others run beside it, which have mostly ended by then: what delays one message delays all
 * later ones of its number.
 */
const settleSeconds = isBrief ? 25 : 0
/**
 * Numbers that began together send in the same moments, so the second at either end of a short time would weigh much.
 */
const seconds = 30
const counted = countQueries()

await withService(
  { UNSAFE_DISABLE_PACING: 'false', SIM_SPEED: '0', SIM_AUTOLINK: '1' },
  async (harness) => {
    const { db, services } = harness
    const made = await linkedNumbers(harness, numbers)
    await quiet(harness)
    await wait(settleSeconds)
    await enqueue(harness, made, numbers * (warmUpSeconds + seconds + 5))
    services.wake.signal('lanes')
    // The first messages of all lanes leave at the same moment; a steady pace comes after the first typing times.
    await wait(warmUpSeconds)
    const before = { sent: await sent(db), queries: counted.count(), at: performance.now() }
    await wait(seconds)
    const passed = (performance.now() - before.at) / 1000
    const queries = counted.count() - before.queries
    record('messages of 1,000 numbers at one a second each', ((await sent(db)) - before.sent) / passed, {
      unit: 'a second',
      atLeast: 990,
    })
    record('queries for them', queries / passed, { unit: 'a second', atMost: 50 })
  },
  { gateway: emptyNetwork },
)

/** @param {number} forSeconds */
function wait(forSeconds) {
  return new Promise((resolve) => setTimeout(resolve, forSeconds * 1000))
}

/**
 * Returns how many messages have left the queue.
 * @param {Db} db
 * @returns {Promise<number>}
 */
async function sent(db) {
  const { rows } = await db.raw(`select count(*)::int as count from messages where status not in ('queued', 'sending')`)
  return rows[0].count
}
