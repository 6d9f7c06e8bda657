import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
// @ts-expect-error: a script, whose types this project does not read.
import { withScale, withTargets } from '../tools/bench/results/targets.mjs'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
const benchmarks = 'tools/bench'
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')

/** Benchmarks that are newer than the last run of all, which alone writes the results. */
const newer: readonly string[] = ['latency']

interface Figure {
  readonly benchmark: string
  readonly what: string
  readonly measured: number
  readonly target: string
  readonly met: string
}

/** The rows of the table that `npm run bench` writes. */
const figures: Figure[] = read(`${benchmarks}/RESULTS.md`)
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .slice(2)
  .map((line) => {
    const cells = line.split('|').map((cell) => cell.trim())
    const [, benchmark = '', what = '', measured = '', target = '', met = ''] = cells
    return { benchmark, what, measured: Number.parseFloat(measured), target, met }
  })

describe('the benchmark results', () => {
  it('cover every benchmark', () => {
    const ending = '.bench.mjs'
    const programs = readdirSync(path.join(root, benchmarks)).filter((file) => file.endsWith(ending))
    const measured = new Set(figures.map(({ benchmark }) => benchmark))
    const names = programs.map((file) => file.slice(0, -ending.length))
    expect(names.filter((name) => !measured.has(name) && !newer.includes(name))).toEqual([])
    expect([...measured].filter((name) => !names.includes(name))).toEqual([])
  })

  it('are those of the table of targets', () => {
    const page = read('docs/performance/README.md')
    expect(page).toBe(withTargets(page, read(`${benchmarks}/RESULTS.md`)))
  })

  it('are those on which the plan for growth builds', () => {
    const page = read('docs/run/scale.md')
    expect(page).toBe(withScale(page, read(`${benchmarks}/RESULTS.md`)))
  })

  it('say whether each target was met', () => {
    for (const { what, measured, target, met } of figures) {
      const [, side, bound] = /^at (least|most) ([\d.]+)$/.exec(target) ?? []
      const isMet = side === 'least' ? measured >= Number(bound) : measured <= Number(bound)
      expect(met, what).toBe(target === '' ? '' : isMet ? 'yes' : '**no**')
    }
  })

  it.each([
    ['texts accepted', 'texts accepted a second'],
    ['messages sent over 1 number(s)', 'messages sent a second'],
    ['webhooks delivered for 1 organization(s)', 'webhooks delivered a second'],
  ])('agree with the README about: %s', (what, words) => {
    const measured = figures.find((figure) => figure.what === what)?.measured ?? Number.NaN
    const rounded = Number(measured.toPrecision(2)).toLocaleString('en-US')
    expect(read('README.md')).toContain(`about ${rounded} ${words}`)
  })
})
