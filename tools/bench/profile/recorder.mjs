// Records what the process does for some time: a CPU profile, the CPU time of the process and of Postgres, and the
// statements.
import { mkdirSync, writeFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import path from 'node:path'
import { cpuMsByPart } from '../support/cpu.mjs'
import { timeByPart, toFlameGraph } from './flame-graph.mjs'
import { readStatements, resetStatements } from './statements.mjs'

/**
 * @import { Profiler } from 'node:inspector'
 * @import { Db } from '@msgctl/server/platform/db/db'
 * @import { StatementTime } from './statements.mjs'
 */

/** @typedef {[name: string, frames: RegExp]} Part A part of the work, with the pattern of its frames. */

/** @typedef {{ profile: Profiler.Profile, statements: StatementTime[], ownMs: number, postgresMs: number }} Recorded */

const samplingUs = 200
const folder = path.join(import.meta.dirname, '../../../docs/performance')

/**
 * Parts that every profile has; a sample belongs to the first whose pattern matches a frame of its stack.
 * @type {Part[]}
 */
const commonParts = [
  ['garbage collection', /^\(garbage collector\)/],
  ['pg and Knex: statements and their rows', /node_modules\/(pg|pg-[a-z-]+|knex|tarn)\//],
]

/**
 * Opens a recorder for `db`. `start` and `stop` are called around what is recorded.
 * @param {Db} db
 */
export async function openRecorder(db) {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.setSamplingInterval', { interval: samplingUs })
  /** @type {ReturnType<typeof cpuMsByPart>} */
  let before = null
  return {
    async start() {
      await resetStatements(db)
      before = cpuMsByPart()
      await session.post('Profiler.start')
    },
    /** @returns {Promise<Recorded>} */
    async stop() {
      const { profile } = await session.post('Profiler.stop')
      const after = cpuMsByPart()
      if (before === null || after === null) throw new Error('the CPU of processes is known on Linux only')
      const statements = await readStatements(db)
      await resetStatements(db)
      return { profile, statements, ownMs: after.own - before.own, postgresMs: after.postgres - before.postgres }
    },
  }
}

/**
 * Writes the flame graph `name`.svg, and prints what each of `count` things cost.
 * @param {Recorded} recorded
 * @param {{ name: string, title: string, count: number, parts: Part[] }} options
 */
export function report({ profile, statements, ownMs, postgresMs }, { name, title, count, parts }) {
  mkdirSync(folder, { recursive: true })
  writeFileSync(path.join(folder, `${name}.svg`), toFlameGraph(profile, title))
  const each = perOne(count)
  table('CPU', [
    ['the process', each(ownMs)],
    ['Postgres', each(postgresMs)],
  ])
  const all = [...commonParts, ...parts]
  /** @type {Parameters<typeof timeByPart>[1]} */
  const partOf = (frames) => {
    const places = frames.map(({ functionName, url }) => `${functionName} ${url}`)
    return all.find(([, pattern]) => places.some((place) => pattern.test(place)))?.[0] ?? 'the rest of the process'
  }
  table(
    'the process',
    [...timeByPart(profile, partOf)].map(([part, us]) => [part, each(us / 1000)]),
  )
  statementTable('Postgres', statements, count)
}

/**
 * Prints what statements cost each of `count` things.
 * @param {string} title
 * @param {StatementTime[]} statements
 * @param {number} count
 */
export function statementTable(title, statements, count) {
  table(
    title,
    statements.map(({ what, ms }) => [what, perOne(count)(ms)]),
  )
}

/**
 * Prints rows of a name and a figure.
 * @param {string} title
 * @param {[name: string, figure: string][]} rows
 */
export function table(title, rows) {
  console.log(`\n${title}`)
  for (const [what, figure] of rows) console.log(`  ${figure.padStart(10)}  ${what}`)
}

/**
 * @param {number} count
 * @returns {(ms: number) => string}
 */
function perOne(count) {
  return (ms) => `${((ms * 1000) / count).toFixed(1)} µs`
}
