// Deleting old messages by their retention while texts arrive and leave: how fast, and how long a text waits.
// PURGE_MESSAGES=5000000 node tools/bench/purge.bench.mjs is the figure of decision 0065; it takes longer than a run of
// all benchmarks may.
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { fill, patiently, withoutIndexes } from './history/rows.mjs'
import { emptyNetwork, enqueue, linkedNumbers, nthOf, quiet, record, withService } from './support/harness.mjs'

/**
 * @import { Db } from '@msgctl/server/platform/db/db'
 * @import { Harness, Numbers } from './support/harness.mjs'
 */

const count = Number(process.env.PURGE_MESSAGES ?? 100_000)
const organizations = 10
const numbers = 100
const keptDays = 90
const textsASecond = 50
const everyMs = 200
const secondsBefore = process.env.BENCH_BRIEF ? 6 : 15
/** From here on the alert MsgctlQueueLate and docs/run/deployment.md call the queue late. */
const lateSeconds = 60

const [{ deleteOldMessages }, { rollUpCounts }] = await Promise.all([
  import('@msgctl/server/sending/messages/history/retention-store'),
  import('@msgctl/server/sending/messages/history/counter-store'),
])

await withService(
  // Without a pace a text waits for nothing but the worker.
  { SIM_SPEED: '0', SIM_AUTOLINK: '1', UNSAFE_DISABLE_PACING: 'true' },
  async (harness) => {
    const { db } = harness
    await growOld(db)
    const made = await linkedNumbers(harness, numbers)
    await quiet(harness)
    const stopTexts = startTexts(harness, made)
    await wait(secondsBefore * 1000)
    const before = await waits(db)
    const marker = new Date()

    const began = performance.now()
    let deleted = 0
    let longestBatch = 0
    for (;;) {
      const batchBegan = performance.now()
      const some = await deleteOldMessages(db, keptDays)
      longestBatch = Math.max(longestBatch, performance.now() - batchBegan)
      deleted += some
      if (some === 0) break
      if (deleted % 500_000 === 0) console.log(`     ${deleted} after ${seconds(began)} s`)
    }
    const took = (performance.now() - began) / 1000
    const accepted = await stopTexts()
    await until(db, `select not exists (select from messages where status in ('queued', 'sending')) as done`)
    const during = await waits(db, marker)

    record('messages deleted', deleted, { unit: 'in all', atLeast: count, digits: 0 })
    record('messages deleted by their retention', deleted / took, { unit: 'a second', atLeast: 2000, digits: 0 })
    record('longest batch of 5,000', longestBatch, { unit: 'ms' })
    record('texts accepted before and while deleting', accepted, { unit: 'texts', digits: 0 })
    record('a text waits, 99 of 100, before', before.most, { unit: 's', digits: 3 })
    record('a text waits, 99 of 100, while deleting', during.most, { unit: 's', digits: 3 })
    record('the longest wait of a text while deleting', during.longest, { unit: 's', digits: 3, atMost: lateSeconds })

    const left = performance.now()
    await until(
      db,
      `select not exists (select from message_texts where created_at < service_now() - interval '1 day') as done`,
    )
    record('until the search has forgotten them', (performance.now() - left) / 1000, { unit: 's' })
  },
  { gateway: emptyNetwork },
)

/**
 * Stores old messages of several organizations, with their texts for the search and their counts.
 * @param {Db} db
 */
async function growOld(db) {
  const began = performance.now()
  const histories = Object.fromEntries(
    Array.from({ length: organizations }, () => [randomUUID(), Math.ceil(count / organizations)]),
  )
  // Otherwise the worker copies the same texts.
  await db.raw('alter table messages disable trigger messages_text_added')
  await withoutIndexes(db, 'messages', () => fill(db, Object.entries(histories), keptDays + 1))
  await db.transaction(async (trx) => {
    // Otherwise the job that copies texts waits for the index that is built here, longer than a statement may take.
    await trx.raw('set local idle_in_transaction_session_timeout = 0')
    await trx.raw(`select pg_advisory_xact_lock(hashtextextended('message_texts', 0))`)
    await withoutIndexes(db, 'message_texts', () =>
      patiently(
        db,
        `insert into message_texts (organization_id, created_at, message_id, search_text)
         select organization_id, created_at, id, lower(recipient || E'\\n' || content) from messages`,
      ),
    )
  })
  await db.raw('alter table messages enable trigger messages_text_added')
  while ((await rollUpCounts(db, 10_000)) > 0);
  await patiently(db, 'vacuum analyze')
  console.log(`     filled with ${count} messages in ${seconds(began)} s`)
}

/**
 * Puts texts into the queue at a steady rate. The returned function stops, and returns how many there were.
 * @param {Harness} harness
 * @param {Numbers} made
 */
function startTexts(harness, made) {
  const { services } = harness
  let accepted = 0
  let running = Promise.resolve()
  const some = (textsASecond * everyMs) / 1000
  const timer = setInterval(() => {
    const next = { ...made, ids: made.ids.map((_, n) => nthOf(made.ids, accepted + n)) }
    running = running
      .then(() => enqueue(harness, next, some))
      .then(() => {
        accepted += some
        services.wake.signal('lanes')
      })
  }, everyMs)
  return async () => {
    clearInterval(timer)
    await running
    return accepted
  }
}

/**
 * Returns the seconds between the time a text was due and the time it was sent: of 99 in 100, and of the slowest.
 * @param {Db} db
 * @returns {Promise<{ most: number, longest: number }>}
 */
async function waits(db, since = new Date(0)) {
  const { rows } = await db.raw(
    `select coalesce(percentile_cont(0.99) within group (order by wait), 0)::float8 as most,
       coalesce(max(wait), 0)::float8 as longest
       from (select extract(epoch from sent_at - due_at) as wait from messages
              where sent_at is not null and due_at >= ?::timestamptz
                and created_at > service_now() - interval '1 day') t`,
    [since],
  )
  return rows[0]
}

/** @param {Db} db @param {string} statement */
async function until(db, statement) {
  for (;;) {
    const { rows } = await db.raw(statement)
    if (rows[0].done) return
    await wait(250)
  }
}

/** @param {number} began */
function seconds(began) {
  return ((performance.now() - began) / 1000).toFixed(0)
}
