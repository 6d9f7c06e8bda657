// npm start, npm test, npm run dev and npm run bench, on a machine that has only Node and npm: install, build, run.
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { runBenchmarks } from './bench.mjs'
import { build } from './build.mjs'
import { develop } from './dev.mjs'
import { prepareGatewayHost } from './gateway-host.mjs'
import { install } from './install.mjs'
import { isRefusal, refusal, root, run, stopWithParent } from './process.mjs'
import { runTests } from './run-tests.mjs'

/**
 * Builds and runs the server in this very process, so that signals reach it without a detour. With GATEWAY=direct and
 * the embedded database, the server also runs a gateway host.
 *
 * @param {string[]} args
 */
async function start(args) {
  await build()
  const { GATEWAY, MSGCTL_GATEWAY = GATEWAY, DATABASE_URL, MSGCTL_DATABASE_URL = DATABASE_URL } = process.env
  if (MSGCTL_GATEWAY === 'direct' && !MSGCTL_DATABASE_URL)
    process.env.GATEWAY_HOST_PROGRAM ??= await prepareGatewayHost()
  const main = path.join(root, 'packages/server/bin/msgctl-server.mjs')
  process.argv = [process.execPath, main, ...args]
  stopWithParent()
  await import(pathToFileURL(main).href)
}

/** @param {string[]} args */
async function dev(args) {
  await build()
  await develop(args)
}

/** @param {string[]} args */
async function test(args) {
  process.exitCode = await runTests(args)
}

/**
 * Runs the benchmarks named in the arguments, all of them without any. What they compare us with is installed in their
 * own folder, because the product does not need it. `--node 24` runs them with that version of Node, which the npm
 * registry has as a package.
 *
 * @param {string[]} args
 */
async function bench(args) {
  const at = args.indexOf('--node')
  if (at >= 0) {
    const [, version = ''] = args.splice(at, 2)
    if (!/^\d+/.test(version)) throw refusal('Usage: npm run bench -- [--node 24] [BENCHMARK ...]')
    const command = [path.join(import.meta.dirname, 'run.mjs'), 'bench', ...args]
    process.exitCode = await run('npx', ['--yes', '--package', `node@${version}`, '--', 'node', ...command])
    return
  }
  const folder = path.join(root, 'tools/bench')
  await install(folder, ['--dir', folder])
  await build()
  if (!(await runBenchmarks(args))) process.exitCode = 1
}

/** Profiles what is measured by the benchmarks drain and webhooks, and writes the flame graphs of docs/performance. */
async function profile() {
  await build()
  for (const name of ['drain', 'webhooks']) {
    const program = path.join(root, `tools/bench/profile/${name}.mjs`)
    process.exitCode ||= await run(process.execPath, ['--max-semi-space-size=64', program])
  }
}

/** @type {Record<string, (args: string[]) => Promise<void>>} */
const tasks = { start, dev, test, bench, profile }
const [name = '', ...args] = process.argv.slice(2)
try {
  const task = Object.hasOwn(tasks, name) ? tasks[name] : undefined
  if (task === undefined) throw refusal(`Usage: node tools/scripts/run.mjs ${Object.keys(tasks).join('|')}`)
  await install()
  await task(args)
} catch (error) {
  console.error(isRefusal(error) ? error.message : error)
  process.exit(1)
}
