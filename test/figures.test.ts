import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')

/** The lines of a Markdown table in a text. */
function tableIn(text: string): string[] {
  return text.split('\n').filter((line) => line.startsWith('|'))
}

describe('the figures', () => {
  const figures = tableIn(read('tools/bench/RESULTS.md'))

  it('stand in the README as one run of the benchmarks wrote them', () => {
    const readme = read('README.md')
    const block = readme.slice(
      readme.indexOf('<!-- figures: written by npm run bench -->'),
      readme.indexOf('<!-- end of figures -->'),
    )
    expect(tableIn(block)).toEqual(figures)
  })

  it('are there for every benchmark', () => {
    const ending = '.bench.mjs'
    const benchmarks = readdirSync(path.join(root, 'tools/bench')).filter((file) => file.endsWith(ending))
    const told = new Set(figures.slice(2).map((line) => line.split('|')[1]?.trim()))
    expect([...told].sort()).toEqual(benchmarks.map((file) => file.slice(0, -ending.length)).sort())
  })
})
