// npm run gateway [-- TASK ...]: everything about the gateway host, which is a package of its own. Without a task it
// prints its help.
import { spawn } from 'node:child_process'
import path from 'node:path'
import { build } from './build.mjs'
import { hostFolder, prepareGatewayHost } from './gateway-host.mjs'
import { controlPhone } from './gateway-phone.mjs'
import { install } from './install.mjs'
import { isRefusal, refusal, run, stopWithParent, tool } from './process.mjs'

const compiled = path.join(hostFolder, 'dist')
const networkPort = 3190

const help = `Usage: npm run gateway -- <task>

  start                     run a gateway host: it connects numbers to the network
                            (DATABASE_URL and SECRETS_KEYS as for the service; docs/run/own-sockets.md has the
                            other settings)
  network [--fast]          run a test network on port ${networkPort}, with phones that you control
  phone <verb> ...          do something on a phone of the test network; "phone" alone lists the verbs
  test [files]              run the tests of the gateway host
  kills [count]             kill hosts under traffic, 200 times by default, and count what was lost
  freezes [count]           stop hosts past their lease and wake them up, 20 times by default
  outage                    take the database away for 20 s
  backlog [messages]        let 5,000 messages that cannot be read wait, by default, and a phone share 50 MB of history
  leaks [rounds]            connect and disconnect numbers, and compare memory and handles
  many [numbers]            connect 500 numbers in two hosts, by default, and report memory and time
  speed [sends]             send 300 messages a round, by default, beside the library without us, and compare
  truth                     let clients of other authors link, send and receive in the test network

The first task installs Baileys and libsignal (GPL-3.0, docs/run/licences.md) and compiles the host.
Without a terminal of its own, a host runs beside the service: GATEWAY=direct npm start
`

/**
 * Runs test files of the gateway host, with settings of a proof.
 *
 * @param {string[]} files
 * @param {NodeJS.ProcessEnv} [env]
 */
async function test(files, env = {}) {
  await prepare()
  const config = path.join(hostFolder, 'vitest.config.ts')
  return run(tool('vitest'), ['run', '--config', config, ...files], { env: { ...process.env, ...env } })
}

async function prepare() {
  await install()
  await build()
  return prepareGatewayHost()
}

/**
 * Runs a compiled program until it ends, and passes signals on.
 *
 * @param {string} file
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<number>}
 */
async function runProgram(file, env = {}) {
  const child = spawn(process.execPath, [path.join(compiled, file)], {
    stdio: 'inherit',
    env: { ...process.env, ...env },
  })
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.on(signal, () => child.kill(signal))
  stopWithParent()
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)))
}

async function start() {
  for (const name of ['DATABASE_URL', 'SECRETS_KEYS']) {
    if (!process.env[name]) throw refusal(`Set ${name} to the value that the service has.`)
  }
  await prepare()
  return runProgram('src/main.js')
}

/** @param {string[]} args */
async function network(args) {
  const speed = args.includes('--fast') ? '1' : '100'
  await prepare()
  return runProgram('test/network/main.js', {
    TEST_NETWORK_PORT: String(networkPort),
    TEST_NETWORK_SPEED: speed,
    TEST_NETWORK_FOR_PEOPLE: '1',
  })
}

/**
 * A count in the arguments, or the usual one.
 *
 * @param {string[]} args
 * @param {number} usual
 */
function countOf([text], usual) {
  if (text === undefined) return String(usual)
  if (!/^[1-9]\d{0,4}$/.test(text)) throw refusal(`${text} is no count.`)
  return text
}

/** @type {Record<string, (args: string[]) => Promise<number>>} */
const tasks = {
  start,
  network,
  test,
  phone: (args) => controlPhone(`http://127.0.0.1:${networkPort}`, args),
  kills: (args) => test(['test/kills.test.ts'], { GATEWAY_KILLS: countOf(args, 200) }),
  freezes: (args) => test(['test/take-over.test.ts'], { GATEWAY_ROUNDS: countOf(args, 20) }),
  outage: () => test(['test/database-outage.test.ts']),
  backlog: (args) => test(['test/backlog.test.ts'], { GATEWAY_BACKLOG: countOf(args, 5000), GATEWAY_HISTORY_MB: '50' }),
  leaks: (args) => test(['test/leaks.test.ts'], { GATEWAY_CYCLES: countOf(args, 30) }),
  many: (args) => test(['test/many-numbers.test.ts'], { GATEWAY_NUMBERS: countOf(args, 500) }),
  speed: (args) => test(['test/speed.test.ts'], { GATEWAY_SENDS: countOf(args, 300) }),
  truth: () => test(['test/truth.test.ts'], { GATEWAY_TRUTH: '1' }),
}

const [name = 'help', ...args] = process.argv.slice(2)
try {
  const task = Object.hasOwn(tasks, name) ? tasks[name] : undefined
  if (task !== undefined) process.exitCode = await task(args)
  else {
    console.log(help)
    if (!['help', '--help', '-h'].includes(name)) throw refusal(`There is no task ${name}.`)
  }
} catch (error) {
  console.error(isRefusal(error) ? error.message : error)
  process.exitCode = 1
}
