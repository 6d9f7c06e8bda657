// How long a thousand numbers of one organization take from their addition to the last address book, and what they
// cost.

import { median } from './results/report.mjs'
import { cpuMs } from './support/cpu.mjs'
import { countQueries, linkedNumbers, quiet, record, withService } from './support/harness.mjs'

/** @import { Harness } from './support/harness.mjs' */

const numbers = 1000
const rounds = 5
const counted = countQueries()

await withService({ SIM_SPEED: '0', SIM_AUTOLINK: '1' }, async (harness) => {
  await linkedNumbers(harness, 50)
  await quiet(harness)
  /** @type {Awaited<ReturnType<typeof link>>[]} */
  const runs = []
  for (let round = 0; round < rounds; round += 1) runs.push(await link(harness))
  /** @param {'seconds' | 'statements'} key */
  const middle = (key) => median(runs.map((run) => run[key]))
  record('1,000 numbers of one organization linked', middle('seconds'), { unit: 's', atMost: 5 })
  record('statements for each', middle('statements'), { unit: '', atMost: 25 })
  const cpu = runs.flatMap((run) => (run.cpu === null ? [] : [run.cpu]))
  if (cpu.length > 0) record('CPU for each, Postgres included', median(cpu), { unit: 'ms' })
})

/** @param {Harness} harness */
async function link(harness) {
  const before = { at: performance.now(), statements: counted.count(), cpu: cpuMs() }
  await linkedNumbers(harness, numbers)
  await quiet(harness)
  const cpu = cpuMs()
  return {
    seconds: (performance.now() - before.at) / 1000,
    statements: (counted.count() - before.statements) / numbers,
    cpu: cpu === null || before.cpu === null ? null : (cpu - before.cpu) / numbers,
  }
}
