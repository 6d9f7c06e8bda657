// Runs benchmarks one after the other, each in a time box, and writes down what they found.
import { once } from 'node:events'
import { closeSync, existsSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import path from 'node:path'
import { missingInScale, withScale, withTargets } from '../bench/results/targets.mjs'
import { refusal, root, run } from './process.mjs'

/** @import { ChildProcess, StdioOptions } from 'node:child_process' */

/**
 * A row of the results. `met` is null where nothing was measured.
 *
 * @typedef {object} Figure
 * @property {string} what
 * @property {string} shown
 * @property {string} bound
 * @property {boolean | null} met
 */

/** @typedef {{ name: string, figures: Figure[], ok: boolean }} Result */

/**
 * How a benchmark is run.
 *
 * @typedef {object} How
 * @property {string[]} options
 * @property {number} seconds
 * @property {NodeJS.ProcessEnv} [env]
 * @property {boolean} [isBuffered]
 * @property {(child: ChildProcess) => void} [onStart]
 */

const folder = path.join(root, 'tools/bench')
const ending = '.bench.mjs'

/** All together end within ten minutes. A benchmark that does not is cut off, and the results say so. */
const boundSeconds = 600
const boxSeconds = 150
/** What is kept for the last rounds of those in turns. */
const secondsForTurns = 60

/**
 * These are compared with other programs. A round of each follows each of the others, so that its rounds are spread
 * over the whole run.
 */
const inTurns = ['accept', 'drain', 'webhooks']

/** These mostly wait, for the same minute. What purge does is over before the others measure. */
const sideBySide = ['consoles', 'idle', 'paced', 'purge']

/**
 * All processes of a benchmark, those that we are compared with too, run with the option that the service is delivered
 * with.
 */
const nodeOptions = '--max-semi-space-size=64'

/** Where `--profile` puts a CPU profile of each process that ends by itself. */
const profiles = path.join(root, '.data/profiles')

/**
 * Runs the named benchmarks, or all of them, and returns whether every one completed and every figure met its target. A
 * run of all of them writes tools/bench/RESULTS.md, so that the file and the tables of docs are the output of one run.
 * They are brief (`BENCH_BRIEF`): they fill smaller tables and wait less than when they are named. With `--profile`
 * each process writes what its CPU did.
 *
 * @param {string[]} args
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
  if (names.length === 0) return runAll(all, options)
  const found = []
  for (const name of names) found.push(await runOne(name, { options, seconds: boundSeconds }))
  return found.every(({ ok }) => ok)
}

/**
 * @param {string[]} all
 * @param {string[]} options
 */
async function runAll(all, options) {
  const began = performance.now()
  const others = all.filter((name) => !inTurns.includes(name) && !sideBySide.includes(name))
  const place = mkdtempSync(path.join(tmpdir(), 'msgctl-template-'))
  const found = []
  try {
    // Loaded here, because it needs the packages that are installed before a run.
    const { makeTemplate } = await import('../bench/support/harness.mjs')
    const env = { BENCH_BRIEF: '1', BENCH_TEMPLATE: await makeTemplate(place) }
    const secondsLeft = () => boundSeconds - (performance.now() - began) / 1000
    const spread = inTurns.map((name) => startInTurns(name, { options, env, seconds: secondsLeft() }))
    const giveTurns = async () => {
      for (const one of spread) await one.giveTurn()
    }
    await giveTurns()
    for (const group of [sideBySide, ...others.map((name) => [name])]) {
      const left = secondsLeft() - secondsForTurns
      const how = { options, env, seconds: Math.min(boxSeconds, left), isBuffered: group.length > 1 }
      found.push(...(await Promise.all(group.map((name) => (left < 1 ? notStarted(name) : runOne(name, how))))))
      await giveTurns()
    }
    while (spread.some(({ isUnderWay }) => isUnderWay())) await giveTurns()
    found.push(...(await Promise.all(spread.map(({ result }) => result))))
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
  const missing = write(found.toSorted((a, b) => all.indexOf(a.name) - all.indexOf(b.name)))
  console.log(`\nAll benchmarks took ${secondsSince(began)} s.`)
  for (const what of missing) console.log(`Not measured, and left out of docs/run/scale.md: ${what}`)
  return missing.length === 0 && found.every(({ ok }) => ok)
}

/**
 * Starts a benchmark that works when it is given a turn, until it waits for the next one. The first makes everything
 * ready.
 *
 * @param {string} name
 * @param {How} how
 */
function startInTurns(name, how) {
  /** @type {ChildProcess} */
  let child
  let hasEnded = false
  /** @param {ChildProcess} started */
  const onStart = (started) => {
    child = started
  }
  const result = runOne(name, { ...how, isBuffered: true, onStart }).finally(() => {
    hasEnded = true
  })
  // It does not arrive when the benchmark ends, or is cut off.
  const nextMessage = () => once(child, 'message').catch(() => undefined)
  let waits = nextMessage()
  return {
    result,
    isUnderWay: () => !hasEnded,
    async giveTurn() {
      await Promise.race([waits, result])
      if (hasEnded || !child.connected) return
      waits = nextMessage()
      child.send('go')
      await Promise.race([waits, result])
    },
  }
}

/**
 * With `isBuffered` the output is printed at the end, so that those of two benchmarks do not mix.
 *
 * @param {string} name
 * @param {How} how
 * @returns {Promise<Result>}
 */
async function runOne(name, { options, seconds, env = {}, isBuffered = false, onStart }) {
  if (!isBuffered) console.log(`\n${name}`)
  const began = performance.now()
  const place = mkdtempSync(path.join(tmpdir(), 'msgctl-figures-'))
  const report = path.join(place, 'figures.jsonl')
  const output = path.join(place, 'output')
  const file = isBuffered ? openSync(output, 'w') : null
  /** @type {'ipc'[]} */
  const channel = onStart === undefined ? [] : ['ipc']
  /** @type {StdioOptions} */
  const stdio = file === null ? 'inherit' : ['ignore', file, file, ...channel]
  const cut = AbortSignal.timeout(Math.ceil(seconds * 1000))
  const isProfiled = options.includes('--profile')
  const flags = isProfiled ? ['--cpu-prof', `--cpu-prof-dir=${profiles}`] : []
  const code = await run(
    process.execPath,
    [...flags, path.join(import.meta.dirname, 'alone.mjs'), path.join(folder, name + ending), ...options],
    {
      env: {
        ...process.env,
        NODE_OPTIONS: nodeOptions,
        BENCH_REPORT: report,
        ...(isProfiled && { BENCH_PROFILE: profiles }),
        ...env,
      },
      stdio,
      onStart,
      signal: cut,
      killSignal: 'SIGTERM',
    },
  ).catch(() => 1)
  if (file !== null) {
    closeSync(file)
    process.stdout.write(`\n${name}\n${readFileSync(output, 'utf8')}`)
  }
  if (onStart === undefined) console.log(`     (${secondsSince(began)} s)`)
  if (isProfiled) console.log(`     profiles of its processes: ${profiles}`)
  const lines = existsSync(report)
    ? readFileSync(report, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    : []
  rmSync(place, { recursive: true, force: true })
  const figures = lines.filter(({ what }) => what !== undefined)
  const isComplete = lines.some(({ completed }) => completed)
  if (cut.aborted) figures.push(failure(`cut off after ${seconds.toFixed(0)} s`))
  else if (!isComplete) figures.push(failure(`failed with exit code ${code}`))
  return { name, figures, ok: code === 0 && isComplete && !cut.aborted }
}

/**
 * Returns the row of a benchmark that measured less than it should.
 *
 * @param {string} why
 */
const failure = (why) => ({ what: 'the rest', shown: why, bound: '', met: false })

/**
 * @param {string} name
 * @returns {Result}
 */
function notStarted(name) {
  return { name, figures: [failure('not started, because the time was up')], ok: false }
}

/** @param {number} began */
const secondsSince = (began) => ((performance.now() - began) / 1000).toFixed(0)

/**
 * Writes the results and the tables of docs. Returns the figures of docs/run/scale.md that were not measured.
 *
 * @param {Result[]} found
 */
function write(found) {
  const table = [
    '| benchmark | what | measured | target | met |',
    '| --- | --- | ---: | --- | --- |',
    ...found.flatMap(({ name, figures }) =>
      figures.map(({ what, shown, bound, met }) => {
        const verdict = met === null ? 'not measured' : bound === '' && met ? '' : met ? 'yes' : '**no**'
        return `| ${name} | ${what.replaceAll('|', '\\|')} | ${shown} | ${bound} | ${verdict} |`
      }),
    ),
  ].join('\n')
  const machine =
    `${cpus().length} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), Node ${process.versions.node}, the ` +
    'embedded Postgres with its data on disk'
  const text = `# Benchmark results

One run of \`npm run bench\` on ${machine}. Values in \`x\` are ratios, measured in the same run. Rows without a
target are for comparison only.

${table}
`
  writeFileSync(path.join(folder, 'RESULTS.md'), text)
  for (const { name, withTable } of [
    { name: 'performance/README', withTable: withTargets },
    { name: 'run/scale', withTable: withScale },
  ]) {
    const page = path.join(root, `docs/${name}.md`)
    writeFileSync(page, withTable(readFileSync(page, 'utf8'), text))
  }
  return missingInScale(text)
}
