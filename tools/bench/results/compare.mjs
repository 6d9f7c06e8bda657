// node compare.mjs BEFORE [AFTER]: prints the ratios of two RESULTS.md side by side with their difference in percent.
// AFTER is the file of the last run by default. Fails when a ratio differs by more than a tenth, or is in one file
// only.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { cellsOf } from './targets.mjs'

const most = 10

/**
 * A ratio of two results with its difference in percent; `undefined` and `null` where one has no such ratio.
 * @typedef {{ name: string, was: number | undefined, is: number | undefined, percent: number | null }} Compared
 */

/**
 * Returns the ratios of results by a name that is the same in each run: figures in the text of a row are left out.
 * @param {string} results
 */
function ratiosOf(results) {
  /** @type {[name: string, ratio: number][]} */
  const named = cellsOf(results).flatMap(([, benchmark, what, measured]) => {
    const ratio = /^([\d.]+) x\b/.exec(measured)?.[1]
    const name = `${benchmark}: ${what.replaceAll(/\b\d+(?:\.\d+)? (?:ms|µs|a second)\b|\b\d+\.\d+\b/g, '…')}`
    return ratio === undefined ? [] : [[name, Number(ratio)]]
  })
  return new Map(named)
}

/**
 * Returns the ratios of two results with their difference in percent.
 * @param {string} before
 * @param {string} after
 * @returns {Compared[]}
 */
export function compareRatios(before, after) {
  const [old, now] = [ratiosOf(before), ratiosOf(after)]
  return [...new Set([...old.keys(), ...now.keys()])].map((name) => {
    const [was, is] = [old.get(name), now.get(name)]
    return { name, was, is, percent: was === undefined || is === undefined ? null : (is / was - 1) * 100 }
  })
}

/**
 * Returns those that differ by more than a tenth, or that one side lacks.
 * @param {Compared[]} compared
 */
export function farApart(compared) {
  return compared.filter(({ percent }) => percent === null || Math.abs(percent) > most)
}

/** @param {Compared} compared */
function line({ name, was, is, percent }) {
  const [left, right] = [was, is].map((ratio) => (ratio === undefined ? '-' : ratio.toFixed(3)).padStart(7))
  return `${left} ${right} ${(percent === null ? '' : `${percent.toFixed(1)} %`).padStart(8)}  ${name}`
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [, , before, after = path.join(import.meta.dirname, '../RESULTS.md')] = process.argv
  if (before === undefined) {
    console.error('Usage: node tools/bench/results/compare.mjs BEFORE [AFTER]')
    process.exit(1)
  }
  const compared = compareRatios(readFileSync(before, 'utf8'), readFileSync(after, 'utf8'))
  for (const one of compared) console.log(line(one))
  const far = farApart(compared)
  console.log(`\n${far.length} of ${compared.length} ratios differ by more than ${most} % or are in one file only`)
  for (const one of far) console.log(line(one))
  if (far.length > 0) process.exitCode = 1
}
