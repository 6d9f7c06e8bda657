// Runs benchmarks one after the other, each in a time box, and writes down what they found.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import path from 'node:path'
import { withScale, withTargets } from '../bench/targets.mjs'
import { refusal, root, run } from './process.mjs'

const folder = path.join(root, 'tools/bench')
const ending = '.bench.mjs'

/** All together end within ten minutes; what would not is cut off and counts as missed. */
const boundSeconds = 600
const boxSeconds = 240

/** All processes of a benchmark, those that we are compared with too, run with the option that the service is delivered with. */
const nodeOptions = '--max-semi-space-size=64'

/**
 * Runs the named benchmarks, or all of them, and returns whether every figure met its target. A run of all of them writes tools/bench/RESULTS.md, so that
 * the file and the table of docs/performance.md are the output of one run. Benchmarks that take minutes to fill a database skip that part (`BENCH_BRIEF`) unless they are named.
 */
export async function runBenchmarks(args) {
  const all = readdirSync(folder)
    .flatMap((file) => (file.endsWith(ending) ? [file.slice(0, -ending.length)] : []))
    .sort()
  const names = args.filter((name) => !name.startsWith('--'))
  const options = args.filter((name) => name.startsWith('--'))
  for (const name of names) {
    if (!all.includes(name)) throw refusal(`There is no benchmark ${name}, but: ${all.join(' ')}`)
  }
  const began = performance.now()
  const found = []
  for (const name of names.length === 0 ? all : names) {
    const left = boundSeconds - (performance.now() - began) / 1000
    const seconds = names.length === 0 ? Math.min(boxSeconds, left) : boundSeconds
    found.push(await runOne(name, { options, seconds, brief: names.length === 0 }))
  }
  if (names.length === 0) write(found)
  return found.every(({ ok }) => ok)
}

async function runOne(name, { options, seconds, brief }) {
  console.log(`\n${name}`)
  const began = performance.now()
  const place = mkdtempSync(path.join(tmpdir(), 'msgctl-figures-'))
  const report = path.join(place, 'figures.jsonl')
  const cut = AbortSignal.timeout(Math.ceil(Math.max(1, seconds) * 1000))
  const code = await run(
    process.execPath,
    [path.join(import.meta.dirname, 'alone.mjs'), path.join(folder, name + ending), ...options],
    {
      env: { ...process.env, NODE_OPTIONS: nodeOptions, BENCH_REPORT: report, ...(brief && { BENCH_BRIEF: '1' }) },
      signal: cut,
      killSignal: 'SIGTERM',
    },
  ).catch(() => 1)
  console.log(`     (${((performance.now() - began) / 1000).toFixed(0)} s)`)
  const figures = existsSync(report)
    ? readFileSync(report, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    : []
  rmSync(place, { recursive: true, force: true })
  if (cut.aborted) {
    figures.push({ what: 'the rest', shown: `cut off after ${seconds.toFixed(0)} s`, bound: '', met: false })
  }
  return { name, figures, ok: code === 0 && !cut.aborted }
}

function write(found) {
  const table = [
    '| benchmark | what | measured | target | met |',
    '| --- | --- | ---: | --- | --- |',
    ...found.flatMap(({ name, figures }) =>
      figures.map(({ what, shown, bound, met }) => {
        const verdict = bound === '' && met ? '' : met ? 'yes' : '**no**'
        return `| ${name} | ${what.replaceAll('|', '\\|')} | ${shown} | ${bound} | ${verdict} |`
      }),
    ),
  ].join('\n')
  const machine = `${cpus().length} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), Node ${process.versions.node}, the embedded Postgres with its data on disk`
  const text = `# Benchmark results

One run of \`npm run bench\` on ${machine}. Values in \`x\` are ratios, measured in the same run. Rows without a target are for comparison only.

${table}
`
  writeFileSync(path.join(folder, 'RESULTS.md'), text)
  for (const [name, withTable] of [
    ['performance', withTargets],
    ['scale', withScale],
  ]) {
    const page = path.join(root, `docs/${name}.md`)
    writeFileSync(page, withTable(readFileSync(page, 'utf8'), text))
  }
}
