// How many milliseconds longer msgctl takes to start than node itself in the same run. A ratio would depend on the line
// of Node more than on msgctl: `node -e 0` takes 24 ms with version 24 and 40 ms with the oldest that runs here.
import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { bundle } from '../../packages/cli/scripts/bundle.mjs'
import { measureRounds, median, record } from './results/report.mjs'

/** @import { AddressInfo } from 'node:net' */

const rounds = 11
/** In a round each is started so many times. The fastest start is the one that the machine disturbed least. */
const startsEach = 5
const home = mkdtempSync(path.join(tmpdir(), 'msgctl-bench-home-'))
const bin = path.join(home, 'bin/msgctl.cjs')
// As it is published: a bundle made now, and none of the compiled files of a checkout beside it.
await bundle(path.join(home, 'dist/bundle'))
cpSync(path.join(import.meta.dirname, '../../packages/cli/bin'), path.join(home, 'bin'), { recursive: true })

const server = createServer((_request, response) => {
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ success: true, name: 'Ada', products: ['notify'] }))
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
const { port } = /** @type {AddressInfo} */ (server.address())
const env = {
  ...process.env,
  XDG_CONFIG_HOME: home,
  MSG_API_KEY: 'msk_measure',
  MSG_BASE_URL: `http://127.0.0.1:${port}/api/v1`,
}

/**
 * Milliseconds of one run.
 * @param {string[]} args
 * @returns {Promise<number>}
 */
function time(args) {
  const start = performance.now()
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { env, cwd: home, stdio: 'ignore' })
    child.on('error', reject)
    child.on('exit', (code) => (code === 0 ? resolve(performance.now() - start) : reject(new Error(`exit ${code}`))))
  })
}

const floor = { name: 'node -e 0', args: ['-e', '0'] }
/** @type {{ name: string, args: string[], atMost?: number }[]} */
const commands = [
  { name: 'msgctl --help', args: [bin, '--help'], atMost: 20 },
  { name: 'msgctl account me --json', args: [bin, 'account', 'me', '--json'], atMost: 40 },
  ...(process.env.BENCH_BRIEF
    ? []
    : [{ name: 'msgctl messages list --help', args: [bin, 'messages', 'list', '--help'] }]),
]

/** @param {string[]} args */
async function fastest(args) {
  /** @type {number[]} */
  const times = []
  for (let n = 0; n < startsEach; n += 1) times.push(await time(args))
  return Math.min(...times)
}

const found = await measureRounds(
  Object.fromEntries([floor, ...commands].map(({ name, args }) => [name, () => fastest(args)])),
  rounds,
)
server.close()
rmSync(home, { recursive: true })

const ofFloor = found[floor.name] ?? []
record(floor.name, Math.min(...ofFloor), { unit: 'ms', digits: 0 })
for (const { name, atMost } of commands) {
  const more = median((found[name] ?? []).map((ms, round) => ms - Number(ofFloor[round])))
  record(`${name}, beyond ${floor.name}`, more, { unit: 'ms', ...(atMost !== undefined && { atMost }) })
}
