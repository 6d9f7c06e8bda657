// What a long history costs its readers: ten thousand messages against a million (300,000 in a run of all benchmarks)
// and five, each list, the counts, and searching.
import { randomUUID } from 'node:crypto'
import { filters } from './history/filters.mjs'
import { fill, patiently, withoutIndexes } from './history/rows.mjs'
import { manyRounds, measureRounds, median, medianRatio } from './results/report.mjs'
import { record, withService } from './support/harness.mjs'

/**
 * @import { Db } from '@msgctl/server/platform/db/db'
 * @import { Services } from '@msgctl/server/services'
 * @import { Handler, Query } from './history/filters.mjs'
 */

/** @typedef {(organizationId: string, count: number) => Promise<unknown>} Read Reads a history of `count` messages. */

/** @typedef {Record<string, number>} Histories The number of messages by the organization. */

const short = 10_000
const isBrief = process.env.BENCH_BRIEF !== undefined
const long = isBrief ? 300_000 : 1_000_000
const huge = 5_000_000
const neighbours = 100

const [{ listMessages }, { messageHandlers }, { copyTexts }, { rollUpCounts }] = await Promise.all([
  import('@msgctl/server/sending/messages/history/list'),
  import('@msgctl/server/sending/messages/history/routes'),
  import('@msgctl/server/sending/messages/history/text-store'),
  import('@msgctl/server/sending/messages/history/counter-store'),
])
const stats = /** @type {Handler} */ (messageHandlers.stats)

/** @type {[what: string, query: Query][]} */
const searches = [
  ['a phone number', { search: '+1 (202) 555-0199' }],
  ['four digits of one', { search: '0199' }],
  ['an order', { search: 'order 777123' }],
  ['what nothing holds', { search: 'no such thing' }],
  ['what everything holds', { search: 'e' }],
  ['one letter that nothing holds', { search: 'ß' }],
  ['two letters that nothing holds', { search: 'qz' }],
  ['two digits', { search: '77' }],
  ['a word of every fourth message', { search: 'shopping' }],
  ['two usual words', { search: 'table coffee' }],
  ['two usual words that never meet', { search: 'ready customer' }],
  ['a word among read messages', { search: 'invoice', status: 'read' }],
  ['a word among failed messages', { search: 'invoice', status: 'failed' }],
  ['punctuation', { search: '!' }],
]

await withService({}, async ({ db, services, worker }) => {
  // Its jobs would work on the history at the same time.
  await worker.stop()
  const [small, large] = [String(randomUUID()), String(randomUUID())]
  const sizes = { [small]: short, [large]: long }
  const around = Object.fromEntries(Array.from({ length: neighbours }, () => [randomUUID(), 1000]))
  await grow(db, { ...sizes, ...around })
  const copying = performance.now()
  await withoutIndexes(db, 'message_texts', () => copyAll(db))
  await patiently(db, 'vacuum analyze message_texts')
  console.log(`     texts copied in ${seconds(copying)} s`)
  for (const [what, query] of searches) {
    const [few, many] = await times((id) => list(services, id, query), { [small]: short, [large]: long })
    record(`search for ${what} (${median(few).toFixed(1)} ms with ten thousand)`, median(many), {
      unit: 'ms',
      atMost: 300,
    })
  }

  // The readers below do not search: they need no texts.
  const largest = isBrief ? {} : { [randomUUID()]: huge }
  if (!isBrief) await grow(db, largest)
  for (const [what, read] of reads(services)) {
    const [few, ...others] = await times(read, { ...sizes, ...largest })
    for (const [n, many] of others.entries()) {
      recordTimes(what, few, many, n === 0 ? 'a million' : 'five million')
    }
  }
})

/**
 * As ratios, but in a run of all benchmarks: around a millisecond they vary by a fifth from one database to the next.
 * @param {string} what
 * @param {number[]} few
 * @param {number[]} many
 * @param {string} history
 */
function recordTimes(what, few, many, history) {
  const fewMs = `${median(few).toFixed(1)} ms`
  if (isBrief) {
    record(`${what} (${fewMs} with ten thousand)`, median(many), { unit: 'ms', atMost: 2 * median(few) + 1 })
    return
  }
  const figures = `${median(many).toFixed(1)} ms with ${history}, against ${fewMs}`
  record(`${what}: ${figures}`, medianRatio(many, few), { unit: 'x', digits: 2, atMost: 2 })
}

/**
 * Adds histories.
 * @param {Db} db
 * @param {Histories} histories
 */
async function grow(db, histories) {
  const began = performance.now()
  await withoutIndexes(db, 'messages', () => fill(db, Object.entries(histories)))
  while ((await rollUpCounts(db, 10_000)) > 0);
  await patiently(db, 'vacuum analyze messages')
  const count = Object.values(histories).reduce((sum, each) => sum + each, 0)
  console.log(`     filled with ${count} messages in ${seconds(began)} s`)
}

/** @param {Services} services @param {string} organizationId @param {Query} query */
function list(services, organizationId, query) {
  return listMessages(services, organizationId, { page: 1, limit: 50, ...query })
}

/**
 * @param {Services} services
 * @returns {[what: string, read: Read][]}
 */
function reads(services) {
  /** @type {Map<string, string>} */
  const cursors = new Map()
  /**
   * Returns a cursor to the middle of a history, where a reader that follows cursors continues.
   * @param {string} id
   * @param {number} count
   */
  const middle = async (id, count) => {
    const known = cursors.get(id)
    if (known !== undefined) return known
    const { nextCursor } = await list(services, id, { page: count / 100 })
    const found = /** @type {string} */ (nextCursor)
    cursors.set(id, found)
    return found
  }
  return [
    ['GET /stats', (organizationId) => stats({ caller: { organizationId } }, services)],
    ...filters.map(
      (query) =>
        /** @type {[string, Read]} */ ([`GET /messages ${JSON.stringify(query)}`, (id) => list(services, id, query)]),
    ),
    ['the page in the middle', (id, count) => list(services, id, { page: count / 100 })],
    ['the last page', (id, count) => list(services, id, { page: count / 50 })],
    ['behind a cursor', async (id, count) => list(services, id, { cursor: await middle(id, count) })],
    [
      'read ones behind a cursor',
      async (id, count) => list(services, id, { status: 'read', cursor: await middle(id, count) }),
    ],
  ]
}

/**
 * Reads the histories in turn. Returns the milliseconds of each round, for each of them.
 * @param {Read} read
 * @param {Histories} histories
 */
async function times(read, histories) {
  /** @type {(history: [id: string, count: number]) => [string, () => Promise<number>]} */
  const timed = ([id, count]) => [
    id,
    async () => {
      const began = performance.now()
      await read(id, count)
      return performance.now() - began
    },
  ]
  const found = await measureRounds(Object.fromEntries(Object.entries(histories).map(timed)), manyRounds)
  return /** @type {[few: number[], many: number[], ...others: number[][]]} */ (Object.values(found))
}

/**
 * A run of the job ends after half a minute, so it runs until it has nothing left to do.
 * @param {Db} db
 */
async function copyAll(db) {
  for (;;) {
    await copyTexts(db)
    const { rows } = await db.raw('select exists (select from message_text_changes) as is_left')
    if (!rows[0].isLeft) return
  }
}

/** @param {number} began */
function seconds(began) {
  return ((performance.now() - began) / 1000).toFixed(0)
}
