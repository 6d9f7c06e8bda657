// Figures with their targets: printed as they are measured, and written to the report of a run of several benchmarks.
import { appendFileSync } from 'node:fs'
import { nextTurn } from '../support/turns.mjs'

/** @typedef {{ unit: string, atLeast?: number, atMost?: number, digits?: number }} FigureOptions */

/** @typedef {{ what: string, shown: string, bound: string, met: boolean | null }} Row A figure in the report. */

/** @typedef {(round: number) => number | Promise<number>} Measure Measures a contestant once, and returns a figure. */

/** @typedef {number | { least: number, most: number, seconds: number }} Rounds */

/**
 * Prints one figure with its target, and fails the run when it falls short. `unit` stands behind the figure, `x` for a
 * ratio. A figure without a target (neither `atLeast` nor `atMost`) is for comparison only.
 * @param {string} what
 * @param {number} figure
 * @param {FigureOptions} options
 */
export function record(what, figure, { unit, atLeast, atMost, digits = 1 }) {
  const met = (atLeast === undefined || figure >= atLeast) && (atMost === undefined || figure <= atMost)
  /** @param {number} value */
  const short = (value) => Number(value.toFixed(digits))
  const bound =
    atLeast !== undefined ? `at least ${short(atLeast)}` : atMost !== undefined ? `at most ${short(atMost)}` : ''
  const shown = `${figure.toFixed(digits)} ${unit}`
  console.log(`${bound === '' ? '    ' : met ? 'ok  ' : 'MISS'} ${what}: ${shown}${bound && ` (${bound})`}`)
  report({ what, shown, bound, met })
  if (!met) process.exitCode = 1
}

/**
 * Prints that something could not be measured on this machine, and why. The results show it, and the run does not fail
 * for it.
 * @param {string} what
 * @param {string} why
 */
export function recordNotMeasured(what, why) {
  console.log(`     ${what}: not measured: ${why}`)
  report({ what, shown: why, bound: '', met: null })
}

/** @param {Row} row */
function report(row) {
  const { BENCH_REPORT } = process.env
  if (BENCH_REPORT) appendFileSync(BENCH_REPORT, `${JSON.stringify(row)}\n`)
}

/**
 * Prints how much of something each of several contestants did, as measured by `measureRounds`, and the ratio of ours
 * to each of the others: the median of the ratios of each round, whose figures were measured directly after each other.
 * @param {string} what
 * @param {Record<string, number[]> & { ours: number[] }} figures
 * @param {{ unit: string, targets: Record<string, number>, atLeast?: number | undefined }} options
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

/**
 * Rounds of what takes milliseconds: as many as fit into some tenths of a second, because single ones vary by a third.
 */
export const manyRounds = { least: 9, most: 101, seconds: process.env.BENCH_BRIEF ? 0.1 : 0.4 }

/**
 * Returns the figures of each contestant, one for each round. They are measured alternately and in changing order, so
 * that a busy machine affects all of them alike. `contestants` maps a name to a function that measures once and returns
 * a figure; the first `warmUps` rounds do not count. `rounds` is the number of the others, or an odd `least` and `most`
 * between which `seconds` decide. `awaken` is called before each round that counts, because other work may have come
 * before it.
 * @template {string} Name
 * @param {Record<Name, Measure>} contestants
 * @param {Rounds} [rounds]
 * @param {{ warmUps?: number, awaken?: () => Promise<unknown> }} [options]
 */
export async function measureRounds(contestants, rounds = 5, { warmUps = 1, awaken = async () => {} } = {}) {
  const { least, most, seconds } = typeof rounds === 'number' ? { least: rounds, most: rounds, seconds: 0 } : rounds
  const order = /** @type {[Name, Measure][]} */ (Object.entries(contestants))
  const figures = /** @type {Record<Name, number[]>} */ ({})
  for (const [name] of order) figures[name] = []
  const began = performance.now()
  /** @param {number} round */
  const isEnough = (round) => round >= most || (performance.now() - began > seconds * 1000 && round % 2 === 1)
  for (let round = -warmUps; round < least || !isEnough(round); round += 1) {
    if (round >= 0) {
      await nextTurn()
      await awaken()
    }
    for (const [name, measure] of round % 2 === 0 ? order : order.toReversed()) {
      const figure = await measure(round)
      if (round >= 0) figures[name].push(figure)
    }
  }
  return figures
}

/**
 * Returns the median of the ratios of each round, whose two figures were measured directly after each other.
 * @param {number[]} ours
 * @param {number[]} theirs
 */
export function medianRatio(ours, theirs) {
  return median(ours.map((figure, round) => figure / /** @type {number} */ (theirs[round])))
}

/**
 * The middle of an odd number of figures.
 * @param {number[]} figures
 */
export function median(figures) {
  const sorted = figures.toSorted((a, b) => a - b)
  return /** @type {number} */ (sorted[Math.floor(figures.length / 2)])
}
