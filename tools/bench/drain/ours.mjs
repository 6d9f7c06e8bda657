// Our own queue as a contestant: fills it, and drains it into a network that takes no time.
import { emptyNetwork, enqueue } from '../support/harness.mjs'

/**
 * @import { Gateway } from '@msgctl/network/gateway'
 * @import { Db } from '@msgctl/server/platform/db/db'
 * @import { Harness, Numbers } from '../support/harness.mjs'
 */

export const env = { UNSAFE_DISABLE_PACING: 'true', SIM_SPEED: '0', SIM_AUTOLINK: '1', SIM_CONTROL: '1' }

const [{ transaction }, { rollUpChats }, { copyTexts }, { rollUpCounts }] = await Promise.all([
  import('@msgctl/server/platform/db/db'),
  import('@msgctl/server/conversations/chats/roll-up'),
  import('@msgctl/server/sending/messages/history/text-store'),
  import('@msgctl/server/sending/messages/history/counter-store'),
])

let handedOver = 0

/**
 * Returns an empty network in the place of the simulated one, which counts what it is handed.
 * @param {Gateway} simulator
 */
export function countedNetwork(simulator) {
  const network = emptyNetwork(simulator)
  const { send } = network
  /** @type {Pick<Gateway, 'send'>} */
  const counted = {
    send(...args) {
      handedOver += 1
      return send(...args)
    },
  }
  return Object.assign(network, counted)
}

/**
 * Queues `messages` texts through the numbers that were made, then drains them. Returns the milliseconds of the parts:
 * `copyMs` brings the texts into the search, `sentMs` sends them, `rollUpMs` brings them into the chats and the counts.
 * Periodic jobs do the first and the last; either would run in the time of one contestant or another, so both are done
 * outside of it. `begin` and `end` are called around the drain itself.
 * @param {Harness} harness
 * @param {Numbers} made
 * @param {number} messages
 * @param {{ begin?: () => Promise<void>, end?: () => Promise<void> }} [around]
 */
export async function drainOurs(harness, made, messages, { begin = async () => {}, end = async () => {} } = {}) {
  const before = handedOver
  // In one transaction, so that nothing leaves before all of it is there, copied and measured.
  await transaction(harness.db, async (trx) => {
    await enqueue({ ...harness, db: trx }, made, messages)
    await setNextClaim(trx, made, `interval '1 h'`)
  })
  const copyMs = await timed(() => copyTexts(harness.db))
  await harness.db.raw('vacuum analyze messages, lanes, chat_changes')
  await begin()
  const sentMs = await timed(async () => {
    await setNextClaim(harness.db, made, `interval '0'`)
    harness.services.wake.signal('lanes')
    // The database is asked about the end only.
    while (handedOver < before + messages) await new Promise((resolve) => setTimeout(resolve, 5))
    await drained(harness.db)
  })
  await end()
  const rollUpMs = await timed(() => rollUpAll(harness.db))
  return { copyMs, sentMs, rollUpMs }
}

/**
 * Lets the dispatcher read the lanes of the numbers when so much time has passed.
 * @param {Db} db
 * @param {Numbers} numbers
 * @param {string} wait
 */
async function setNextClaim(db, { ids }, wait) {
  await db.raw(`update lanes set next_claim_at = service_now() + ${wait} where container_id = any(?::uuid[])`, [ids])
}

/** @param {() => Promise<unknown>} work */
async function timed(work) {
  const began = performance.now()
  await work()
  return performance.now() - began
}

/** @param {Db} db */
async function rollUpAll(db) {
  for (;;) {
    await rollUpChats(db)
    const { rows } = await db.raw('select 1 from chat_changes limit 1')
    if (rows.length === 0) break
  }
  while ((await rollUpCounts(db, 10_000)) > 0);
}

/** @param {Db} db */
async function drained(db) {
  for (;;) {
    // By the index of leases: without its order the whole table would be read.
    const { rows } = await db.raw(`select 1 from messages where status = 'sending' order by lease_until limit 1`)
    if (rows.length === 0) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
