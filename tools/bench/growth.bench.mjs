// What a large history costs: lists, searches, claims and jobs with ten thousand messages and with many, in two
// databases. `npm run bench -- growth` compares with a million. The figures of docs/performance/README.md take longer
// than a run of the benchmarks may: GROWTH_MESSAGES=20000000 NODE_OPTIONS=--max-semi-space-size=64 node
// tools/bench/growth.bench.mjs fills the folder for temporary files with 35 GB in half an hour; 5 million take 9 GB. A
// run of all benchmarks leaves messages to `history`.
import { fillChats } from './growth/chats.mjs'
import { fillLogs } from './growth/logs.mjs'
import * as reads from './growth/reads.mjs'
import { fillMessages } from './growth/rows.mjs'
import { claims, jobs, rolledBack } from './growth/work.mjs'
import { manyRounds, measureRounds, median, medianRatio } from './results/report.mjs'
import { linkedNumbers, nthOf, quiet, record, withService } from './support/harness.mjs'

/**
 * @import { Read, Side, SideRows } from './growth/reads.mjs'
 * @import { Harness } from './support/harness.mjs'
 */

const isBrief = process.env.BENCH_BRIEF !== undefined
const numbers = 20
const messages = Number(process.env.GROWTH_MESSAGES ?? (isBrief ? 50_000 : 1_000_000))
const small = { messages: 10_000, campaigns: 100, chats: 10_000 }
const large = { messages, campaigns: isBrief ? 2000 : 10_000, chats: isBrief ? 40_000 : 200_000 }
const env = { SIM_SPEED: '0', SIM_AUTOLINK: '1' }
/** What does not depend on the history needs at most so many times the figure of the small one. */
const mostTimes = 1.3
/** What does, for a reason that docs/performance/README.md explains, takes at most so long. */
const mostMs = 300

await withService(env, async (few) => {
  const smallSide = await fill(few, small)
  await withService(env, async (many) => measure(smallSide, await fill(many, large)))
})

/**
 * Fills the database of a service. Returns what the measurements need of it.
 * @param {Harness} harness
 * @param {typeof small} size
 * @returns {Promise<Side>}
 */
async function fill(harness, size) {
  const { db, services, worker } = harness
  const made = await linkedNumbers(harness, numbers)
  const chats = await linkedNumbers(harness, 1)
  await quiet(harness)
  // Its jobs would work on the rows at the same time.
  await worker.stop()
  const began = performance.now()
  await fillMessages(db, { ...made, ...size })
  await fillLogs(db, { ...made, ...size })
  await fillChats(db, { organizationId: chats.organizationId, containerId: nthOf(chats.ids, 0), ...size })
  console.log(`     filled with ${size.messages} messages in ${((performance.now() - began) / 1000).toFixed(0)} s`)
  const newest = 'select id from campaigns where organization_id = ? order by created_at desc limit 1'
  const { rows } = await db.raw(newest, [made.organizationId])
  /** @type {SideRows} */
  const side = { services, ...made, ...size, campaignId: rows[0].id, chatOrganizationId: chats.organizationId }
  return { ...side, cursor: await reads.middleOf(side) }
}

/** @param {[few: Side, many: Side]} sides */
async function measure(...sides) {
  const ofMessages = isBrief ? [] : [...reads.messageReads, ...reads.searches]
  const growing = isBrief ? [] : [...reads.growingReads, ...reads.growingSearches]
  for (const [what, read] of [...ofMessages, ...reads.chatReads, ...reads.campaignReads]) {
    recordTimes(what, await compare(timed(read), sides))
  }
  for (const [what, read] of [...growing, ...reads.growingOthers]) {
    const { few, many } = await compare(timed(read), sides)
    recordMs(what, few, many, mostMs)
  }
  for (const [what, prepare, work, expected] of [...claims, ...jobs]) {
    recordTimes(what, await compare(rolledBack(prepare, work, expected), sides))
  }
}

/**
 * Measures both sides in turn. Returns the milliseconds of each round.
 * @param {(side: Side) => Promise<number>} once
 * @param {[few: Side, many: Side]} sides
 */
function compare(once, [few, many]) {
  return measureRounds({ few: () => once(few), many: () => once(many) }, manyRounds)
}

/** @param {string} what @param {number[]} few @param {number[]} many @param {number} atMost */
function recordMs(what, few, many, atMost) {
  record(`${what} (${median(few).toFixed(1)} ms with ten thousand)`, median(many), { unit: 'ms', atMost })
}

/**
 * A ratio says little about small tables: most of their figures are below two milliseconds, and vary by a fifth from
 * one database to the next.
 * @param {string} what
 * @param {{ few: number[], many: number[] }} times
 */
function recordTimes(what, { few, many }) {
  if (isBrief) return recordMs(what, few, many, 2 * median(few) + 1)
  const figures = `${median(many).toFixed(1)} ms with ${messages}, against ${median(few).toFixed(1)} ms`
  record(`${what}: ${figures}`, medianRatio(many, few), { unit: 'x', digits: 2, atMost: mostTimes })
}

/**
 * @param {Read[1]} read
 * @returns {(side: Side) => Promise<number>}
 */
function timed(read) {
  return async (side) => {
    const began = performance.now()
    await read(side)
    return performance.now() - began
  }
}
