// How large the client is, and how long a program waits for it.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { measureRounds, median, medianRatio, record } from './results/report.mjs'
import { bundled, bundleSize } from './support/bundled.mjs'

const folder = mkdtempSync(path.join(tmpdir(), 'msgctl-bench-client-'))
const bundle = pathToFileURL(path.join(folder, 'bundle.mjs'))
writeFileSync(bundle, await bundled('@msgctl/client'))

/**
 * Runs a program of one line and returns the number it prints.
 * @param {string} program
 */
async function numberFrom(program) {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  for await (const chunk of child.stdout) text += chunk
  return Number(text)
}

/**
 * Milliseconds that the import of a module takes in a process of its own.
 * @param {string | URL} module
 */
function importTime(module) {
  const url = module instanceof URL ? module.href : import.meta.resolve(module)
  return numberFrom(`
    const start = performance.now()
    await import(${JSON.stringify(url)})
    console.log(performance.now() - start)`)
}

/**
 * In a round each is imported so many times. What else the machine does can only add to a time, so the fastest counts.
 */
const importsEach = 3

/** @param {string | URL} module */
async function fastest(module) {
  /** @type {number[]} */
  const times = []
  for (let n = 0; n < importsEach; n += 1) times.push(await importTime(module))
  return Math.min(...times)
}

const found = await measureRounds(
  {
    ours: () => fastest(bundle),
    unbundled: () => fastest('@msgctl/client'),
    stripe: () => fastest('stripe'),
  },
  9,
)
rmSync(folder, { recursive: true })

record('import, as published', median(found.ours), { unit: 'ms', atMost: 15 })
record('import, unbundled', median(found.unbundled), { unit: 'ms' })
const peer = `stripe-node with ${median(found.stripe).toFixed(0)} ms`
record(`import, against ${peer}`, medianRatio(found.ours, found.stripe), { unit: 'x', digits: 3 })
record('all of it, minified', await bundleSize('@msgctl/client'), { unit: 'bytes gzip', digits: 0, atMost: 12_500 })
