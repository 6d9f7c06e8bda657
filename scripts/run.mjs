// npm start, npm test and npm run bench, on a machine that has only Node and npm: install, build, run.
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { install } from './install.mjs'
import { root, run, runQuietly, stopWithParent, tool } from './process.mjs'
import { runTests } from './run-tests.mjs'

/**
 * Compiles every package. TypeScript itself knows the order from the project references and what is up to date: 0.2 s when nothing changed,
 * and neither pnpm nor a registry is needed.
 */
const build = () => runQuietly('Building', tool('tsc'), ['-b'])

/** Builds and runs the server in this very process, so that signals reach it once and directly. */
async function start(args) {
  await build()
  const main = path.join(root, 'packages/server/dist/main.js')
  process.argv = [process.execPath, main, ...args]
  stopWithParent()
  await import(pathToFileURL(main).href)
}

async function test(args) {
  process.exitCode = await runTests(args)
}

/** Runs the benchmarks named in the arguments, all of them without any, one after the other. */
async function bench(names) {
  await build()
  const all = readdirSync(path.join(root, 'bench'))
    .filter((file) => file.endsWith('.bench.mjs'))
    .sort()
  const chosen = names.length === 0 ? all : all.filter((file) => names.includes(file.replace('.bench.mjs', '')))
  if (chosen.length === 0) throw new Error(`No such benchmark. There are: ${all.join(' ') || 'none'}`)
  for (const file of chosen) {
    if ((await run(process.execPath, [path.join('bench', file)])) !== 0) process.exitCode = 1
  }
}

const tasks = { start, test, bench }
const [name = '', ...args] = process.argv.slice(2)
try {
  if (!Object.hasOwn(tasks, name)) throw new Error(`Usage: node scripts/run.mjs ${Object.keys(tasks).join('|')}`)
  await install()
  await tasks[name](args)
} catch (error) {
  console.error(error instanceof Error && error.expected ? error.message : error)
  process.exit(1)
}
