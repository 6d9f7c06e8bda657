// Two cells behind deploy/cells/haproxy.cfg: an organization moves from one to the other under traffic.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { isMessagingError } from '@msgctl/client'
import { refusal, root } from '../../scripts/process.mjs'
import { call, freePort, start, until } from './programs.mjs'
import { addNumber, clientOf, createOrganization, operate, settings, startProcess } from './service.mjs'

/** @import { Postgres } from './postgres.mjs' */
/** @import { Context } from './service.mjs' */

/** @typedef {Awaited<ReturnType<typeof startCell>>} Cell */
/** @typedef {Awaited<ReturnType<typeof startEdge>>} Edge */

/** @typedef {Context & { a: Cell, b: Cell, edge: Edge, organizationId: string, psql: Postgres['psql'] }} Move */

/** A sixth of the requests are texts, more than a number sends in that time: a queue moves too. */
const everyMs = 70
const seconds = { before: 5, after: 10 }
const drainSeconds = 5

/**
 * @param {string} packed
 * @param {NodeJS.ProcessEnv} env
 */
async function startCell(packed, env) {
  operate(packed, env, 'migrate')
  const first = await startProcess(packed, env, 'api')
  const second = await startProcess(packed, env, 'api')
  const worker = await startProcess(packed, env, 'worker')
  return { env, processes: [first, second, worker], address: first.address, ports: [first.port, second.port] }
}

/**
 * Starts the edge. `lead` sends the keys of `org routes` to their cell from now on.
 *
 * @param {string} folder
 * @param {[Cell, Cell]} cells
 */
async function startEdge(folder, [a, b]) {
  const own = path.join(folder, 'edge')
  mkdirSync(own)
  const port = await freePort()
  const file = path.join(own, 'haproxy.cfg')
  const map = path.join(own, 'cells.map')
  const socket = path.join(own, 'admin.sock')
  writeFileSync(map, '')
  const text = readFileSync(path.join(root, 'deploy/cells/haproxy.cfg'), 'utf8')
    .replace(/bind :443 .*/, `bind 127.0.0.1:${port}`)
    .replace('/run/haproxy/admin.sock', socket)
    .replace('/etc/haproxy/cells.map', map)
    .replaceAll('10.0.1.1:3000', `127.0.0.1:${a.ports[0]}`)
    .replaceAll('10.0.1.2:3000', `127.0.0.1:${a.ports[1]}`)
    .replaceAll('10.0.2.1:3000', `127.0.0.1:${b.ports[0]}`)
    .replaceAll('10.0.2.2:3000', `127.0.0.1:${b.ports[1]}`)
  writeFileSync(file, text)
  call('haproxy', ['-c', '-f', file])
  const running = start('haproxy', ['-f', file])
  const address = `http://127.0.0.1:${port}`
  await until('The edge', () => fetch(`${address}/healthz`).then(({ ok }) => ok))
  return {
    address,
    /** @param {string} routes */
    async lead(routes) {
      for (const line of routes.trim().split('\n')) await command(socket, `add map ${map} ${line}`)
    },
    output: running.output,
    stop: () => running.stop(),
  }
}

/**
 * Gives HAProxy a command. Throws what it responds.
 *
 * @param {string} socket
 * @param {string} text
 */
async function command(socket, text) {
  const connection = connect(socket)
  connection.end(`${text}\n`)
  let said = ''
  for await (const some of connection.setEncoding('utf8')) said += some
  if (said.trim() !== '') throw refusal(`HAProxy said: ${said}`)
}

/**
 * Sends texts and reads until it is stopped. Each request is repeated with its key while it gets SERVICE_BUSY.
 *
 * @param {string} address
 * @param {string} apiKey
 */
function startTraffic(address, apiKey) {
  const client = clientOf(address, apiKey)
  /** @type {string[]} */
  const confirmed = []
  /** @type {string[]} */
  const failures = []
  const running = new Set()
  let made = 0
  let repeats = 0
  let longestMs = 0
  /** @param {number} n */
  async function request(n) {
    const begun = performance.now()
    const send = () =>
      client.alert.send({ phone: `1202555${3000 + (n % 50)}`, message: `text ${n}` }, { idempotencyKey: `text-${n}` })
    for (;;) {
      try {
        if (n % 6 === 0) confirmed.push((await send()).messageId)
        else await client.account.me()
        break
      } catch (error) {
        if (!isMessagingError(error, 'SERVICE_BUSY')) throw error
        repeats += 1
        await wait(250)
      }
    }
    longestMs = Math.max(longestMs, performance.now() - begun)
  }
  const timer = setInterval(() => {
    made += 1
    const done = request(made)
      .catch((error) => failures.push(`${error.status ?? ''} ${error.code ?? ''} ${error.message}`))
      .finally(() => running.delete(done))
    running.add(done)
  }, everyMs)
  return {
    async stop() {
      clearInterval(timer)
      await Promise.all(running)
      return { made, repeats, confirmed, failures, longestMs }
    },
  }
}

/**
 * Moves an organization as docs/run/scale.md says. Returns the seconds of each step.
 *
 * @param {Move} move
 */
async function move({ folder, packed, a, b, edge, organizationId, psql }) {
  const file = path.join(folder, 'organization.move')
  /** @type {Record<string, string>} */
  const took = {}
  /**
   * @param {string} name
   * @param {NodeJS.ProcessEnv} env
   * @param {string[]} args
   */
  const step = async (name, env, ...args) => {
    const begun = performance.now()
    const said = await operateBeside(packed, env, ['org', ...args])
    took[name] = ((performance.now() - begun) / 1000).toFixed(1)
    return said
  }
  await step('begin', a.env, 'begin-move', organizationId, '--drain-seconds', String(drainSeconds))
  await step('export', a.env, 'export', organizationId, file)
  const { receipt } = JSON.parse(await step('import', b.env, 'import', file, '--json'))
  await edge.lead(await step('routes', b.env, 'routes', organizationId, 'b'))
  await wait(seconds.after * 1000)
  const sentByOld = psql('a', `select network_id from sim_messages where direction = 'out'`)
  await step('end', a.env, 'end-move', organizationId, edge.address, '--receipt', receipt, '--yes')
  return { took, sentByOld: sentByOld.split('\n') }
}

/**
 * Runs a command of operators while the traffic of this process continues.
 *
 * @param {string} packed
 * @param {NodeJS.ProcessEnv} env
 * @param {string[]} args
 */
async function operateBeside(packed, env, args) {
  const running = start(process.execPath, [path.join(packed, 'bin/msgctl-server.mjs'), ...args], { env })
  if ((await running.ended) !== 0) throw refusal(`${args.join(' ')}:\n${running.output()}`)
  return running.output()
}

/**
 * Moves an organization under traffic. Throws unless each request succeeded and each confirmed text was sent once.
 *
 * @param {Context} context
 * @param {[string, string]} databases
 * @param {Postgres['psql']} psql
 */
export async function moveBetweenCells({ folder, packed }, databases, psql) {
  const env = settings(folder, databases[0])
  const other = { ...env, ...settings(folder, databases[1]), SECRETS_KEYS_FILE: env.SECRETS_KEYS_FILE }
  const a = await startCell(packed, env)
  const b = await startCell(packed, other)
  const edge = await startEdge(folder, [a, b])
  try {
    const organization = createOrganization(packed, a.env)
    const { organizationId, apiKey } = organization
    await addNumber(a.address, organization)
    const traffic = startTraffic(edge.address, apiKey)
    await wait(seconds.before * 1000)
    const { took, sentByOld } = await move({ folder, packed, a, b, edge, organizationId, psql })
    await wait(2000)
    const { made, repeats, confirmed, failures, longestMs } = await traffic.stop()
    if (failures.length > 0)
      throw refusal(
        `${failures.length} of ${made} requests failed: ${[...new Set(failures)].join(', ')}\n${edge.output()}`,
      )
    /** @param {string} statement */
    const count = (statement) => Number(psql('b', statement))
    await until(
      'All texts have left',
      () => count(`select count(*) from messages where status in ('queued', 'sending')`) === 0,
      240_000,
    )
    const stored = new Set(
      psql('b', `select id from messages where status in ('sent', 'delivered', 'read')`).split('\n'),
    )
    const network = new Set(psql('b', `select network_id from sim_messages where direction = 'out'`).split('\n'))
    const lost = confirmed.filter((id) => !stored.has(id)).length
    // A text that the old cell handed over, and that the new one does not know, would have been sent here too.
    const unknown = sentByOld.filter((id) => id !== '' && !network.has(id)).length
    const twice = count(`select count(*) from (
      select 1 from sim_messages where direction = 'out' group by chat, content having count(*) > 1) repeated`)
    const old = await clientOf(a.address, apiKey)
      .account.me()
      .catch(({ status, code }) => `${status} ${code}`)
    const seen =
      `${made} requests, 0 failed (${repeats} repeats, longest ${(longestMs / 1000).toFixed(1)} s), ` +
      `${confirmed.length} texts: ${lost} lost, ${twice + unknown} twice, ${sentByOld.length} sent by the old ` +
      `cell; begin ${took.begin} s, export ${took.export} s, import ${took.import} s; the old cell: ${old}`
    if (lost + twice + unknown > 0 || old !== '421 ORGANIZATION_MOVED') throw refusal(seen)
    return seen
  } finally {
    await edge.stop()
    for (const each of [...a.processes, ...b.processes]) await each.stop('SIGKILL')
  }
}
