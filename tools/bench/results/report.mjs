// Figures with their targets: printed as they are measured, and written to the report of a run of several benchmarks.
import { appendFileSync } from 'node:fs'
import { nextTurn } from '../support/turns.mjs'

/**
 * Prints one figure with its target, and fails the run when it falls short. `unit` stands behind the figure, `x` for a ratio. A figure without a target
 * (neither `atLeast` nor `atMost`) is for comparison only.
 */
export function record(what, figure, { unit, atLeast, atMost, digits = 1 }) {
  const met = (atLeast === undefined || figure >= atLeast) && (atMost === undefined || figure <= atMost)
  const short = (value) => Number(value.toFixed(digits))
  const bound =
    atLeast !== undefined ? `at least ${short(atLeast)}` : atMost !== undefined ? `at most ${short(atMost)}` : ''
  const shown = `${figure.toFixed(digits)} ${unit}`
  console.log(`${bound === '' ? '    ' : met ? 'ok  ' : 'MISS'} ${what}: ${shown}${bound && ` (${bound})`}`)
  report({ what, shown, bound, met })
  if (!met) process.exitCode = 1
}

/** Prints that something could not be measured on this machine, and why. The results show it, and the run does not fail for it. */
export function recordNotMeasured(what, why) {
  console.log(`     ${what}: not measured: ${why}`)
  report({ what, shown: why, bound: '', met: null })
}

function report(row) {
  const { BENCH_REPORT } = process.env
  if (BENCH_REPORT) appendFileSync(BENCH_REPORT, `${JSON.stringify(row)}\n`)
}

/**
 * Prints how much of something each of several contestants did, as measured by `measureRounds`, and the ratio of ours to each
 * of the others: the median of the ratios of each round, whose figures were measured directly after each other.
 */
export function ratios(what, figures, { unit, targets, atLeast }) {
  const { ours, ...others } = figures
  record(what, median(ours), { unit, digits: 0, ...(atLeast !== undefined && { atLeast }) })
  for (const [name, theirs] of Object.entries(others)) {
    const ratio = medianRatio(ours, theirs)
    record(`${what}, against ${name} with ${median(theirs).toFixed(0)} ${unit}`, ratio, {
      unit: 'x',
      digits: 3,
      ...(targets[name] !== undefined && { atLeast: targets[name] }),
    })
  }
}

/** Rounds of what takes milliseconds: as many as fit into some tenths of a second, because single ones vary by a third. */
export const manyRounds = { least: 9, most: 101, seconds: process.env.BENCH_BRIEF ? 0.1 : 0.4 }

/**
 * Returns the figures of each contestant, one for each round. They are measured alternately and in changing order, so that a busy
 * machine affects all of them alike. `contestants` maps a name to a function that measures once and returns a figure; the first
 * `warmUps` rounds do not count. `rounds` is the number of the others, or an odd `least` and `most` between which `seconds` decide.
 * `awaken` is called before each round that counts, because other work may have come before it.
 */
export async function measureRounds(contestants, rounds = 5, { warmUps = 1, awaken = async () => {} } = {}) {
  const { least, most, seconds } = typeof rounds === 'number' ? { least: rounds, most: rounds, seconds: 0 } : rounds
  const figures = Object.fromEntries(Object.keys(contestants).map((name) => [name, []]))
  const began = performance.now()
  const isEnough = (round) => round >= most || (performance.now() - began > seconds * 1000 && round % 2 === 1)
  for (let round = -warmUps; round < least || !isEnough(round); round += 1) {
    if (round >= 0) {
      await nextTurn()
      await awaken()
    }
    const order = Object.entries(contestants)
    for (const [name, measure] of round % 2 === 0 ? order : order.toReversed()) {
      const figure = await measure(round)
      if (round >= 0) figures[name].push(figure)
    }
  }
  return figures
}

/** Returns the median of the ratios of each round, whose two figures were measured directly after each other. */
export function medianRatio(ours, theirs) {
  return median(ours.map((figure, round) => figure / theirs[round]))
}

/** The middle of an odd number of figures. */
export function median(figures) {
  return figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)]
}
