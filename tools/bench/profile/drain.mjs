// What the limit of the drain is made of: the parts of the process, the statements of Postgres, and the rows that a
// message writes. Writes docs/performance/drain.svg, and prints the tables. Run it by `npm run proof -- profile`.
import { countedNetwork, drainOurs, env } from '../drain/ours.mjs'
import { linkedNumbers, quiet, withService } from '../support/harness.mjs'
import { openRecorder, report, statementTable, table } from './recorder.mjs'
import { rowWrites } from './row-writes.mjs'
import { readStatements, statementSettings } from './statements.mjs'

const numbers = 1000
const messages = 20_000
const warmUps = 4

/**
 * @import { Harness, Numbers } from '../support/harness.mjs'
 * @import { Part, Recorded } from './recorder.mjs'
 * @import { RowWrite } from './row-writes.mjs'
 */

/** @type {Part[]} */
const parts = [
  ['claims', /messages\/queue\/(claim|dispatch|campaign-|guard-|lane-|pace|queue-store)/],
  ['outcomes', /messages\/queue\/outcome/],
  ['the call of the network', /messages\/queue\/(attempt-send|begin-store)|gateway\/|tools\/bench\/(harness|drain)/],
]

await withService(
  env,
  async (harness) => {
    const made = await linkedNumbers(harness, numbers)
    await quiet(harness)
    for (let n = 0; n < warmUps; n += 1) await drainOurs(harness, made, messages)
    await profile(harness, made)
  },
  { gateway: countedNetwork, settings: statementSettings },
)

/** @param {Harness} harness @param {Numbers} made */
async function profile(harness, made) {
  const recorder = await openRecorder(harness.db)
  /** @type {Recorded | undefined} */
  let recorded
  /** @type {RowWrite[]} */
  let before = []
  /** @type {RowWrite[]} */
  let whileLeaving = []
  const { sentMs } = await drainOurs(harness, made, messages, {
    async begin() {
      before = await rowWrites(harness.db)
      await recorder.start()
    },
    async end() {
      recorded = await recorder.stop()
      whileLeaving = await rowWrites(harness.db, before)
    },
  })
  console.log(`${((messages / sentMs) * 1000).toFixed(0)} messages a second; for each message:`)
  if (recorded === undefined) throw new Error('nothing was recorded')
  const title = `The process while ${messages} messages leave through ${numbers} numbers`
  report(recorded, { name: 'drain', title, count: messages, parts })
  statementTable('Postgres, afterwards: chats and counts', await readStatements(harness.db), messages)
  rowTable('rows written while they leave', whileLeaving)
  rowTable('rows written, with chats and counts', await rowWrites(harness.db, before))
}

/** @param {string} title @param {RowWrite[]} writes */
function rowTable(title, writes) {
  table(
    title,
    writes.map(([name, count]) => [name, (count / messages).toFixed(2)]),
  )
}
