// What the limit of the drain is made of: the parts of the process as a flame graph, the statements of Postgres, and the rows that a
// message writes. Writes docs/performance/drain.svg, and prints the tables. Run it by `npm run profile`.
import { mkdirSync, writeFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import path from 'node:path'
import { cpuMsByPart } from '../cpu.mjs'
import { countedNetwork, drainOurs, env } from '../drain/ours.mjs'
import { linkedNumbers, quiet, withService } from '../harness.mjs'
import { timeByPart, toFlameGraph } from './flame-graph.mjs'
import { rowWrites } from './row-writes.mjs'
import { readStatements, resetStatements, statementSettings } from './statements.mjs'

const numbers = 1000
const messages = 20_000
const warmUps = 4
const samplingUs = 200
const folder = path.join(import.meta.dirname, '../../../docs/performance')

/** Where a sample belongs: the first of these whose pattern matches a frame of its stack. */
const parts = [
  ['garbage collection', /^\(garbage collector\)/],
  ['pg and Knex: statements and their rows', /node_modules\/(pg|pg-[a-z-]+|knex|tarn)\//],
  ['claims', /messages\/queue\/(claim|dispatch|campaign-|guard-|lane-|pace|queue-store)/],
  ['outcomes', /messages\/queue\/outcome/],
  ['the call of the network', /messages\/queue\/(attempt-send|begin-store)|gateway\/|tools\/bench\/(harness|drain)/],
]

function partOf(frames) {
  const places = frames.map(({ functionName, url }) => `${functionName} ${url}`)
  return parts.find(([, pattern]) => places.some((place) => pattern.test(place)))?.[0] ?? 'the rest of the process'
}

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

async function profile(harness, made) {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.setSamplingInterval', { interval: samplingUs })
  let found
  let writesBefore
  const sent = {}
  const times = await drainOurs(harness, made, messages, {
    async begin() {
      writesBefore = await rowWrites(harness.db)
      await resetStatements(harness.db)
      sent.before = cpuMsByPart()
      await session.post('Profiler.start')
    },
    async end() {
      found = (await session.post('Profiler.stop')).profile
      sent.after = cpuMsByPart()
      sent.statements = await readStatements(harness.db)
      sent.writes = await rowWrites(harness.db, writesBefore)
      await resetStatements(harness.db)
    },
  })
  const statementsAfter = await readStatements(harness.db)
  const allWrites = await rowWrites(harness.db, writesBefore)
  mkdirSync(folder, { recursive: true })
  writeFileSync(
    path.join(folder, 'drain.svg'),
    toFlameGraph(found, `The process while ${messages} messages leave through ${numbers} numbers`),
  )

  const perMessage = (ms) => `${((ms * 1000) / messages).toFixed(1)} µs`
  console.log(`${((messages / times.sentMs) * 1000).toFixed(0)} messages a second; for each message:`)
  console.log(
    `\nCPU: process ${perMessage(sent.after.own - sent.before.own)}, Postgres ${perMessage(sent.after.postgres - sent.before.postgres)}`,
  )
  table(
    'the process',
    [...timeByPart(found, partOf)].map(([part, us]) => [part, perMessage(us / 1000)]),
  )
  table(
    'Postgres, while they leave',
    sent.statements.map(({ what, ms }) => [what, perMessage(ms)]),
  )
  table(
    'Postgres, afterwards',
    statementsAfter.map(({ what, ms }) => [what, perMessage(ms)]),
  )
  table(
    'rows written while they leave',
    sent.writes.map(([name, count]) => [name, (count / messages).toFixed(2)]),
  )
  table(
    'rows written, with chats and counts',
    allWrites.map(([name, count]) => [name, (count / messages).toFixed(2)]),
  )
}

function table(title, rows) {
  console.log(`\n${title}`)
  for (const [what, figure] of rows) console.log(`  ${figure.padStart(10)}  ${what}`)
}
