// Every alert of deploy/prometheus/rules.yml, fired once by a fault of the running service.
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { isRefusal, messageOf, refusal, root, stackOf } from '../../scripts/process.mjs'
import { faults } from './faults.mjs'
import { startPrometheus } from './monitoring.mjs'
import { until } from './programs.mjs'
import { operate, settings, startAll, startProcess } from './service.mjs'

/** @import { AddressInfo } from 'node:net' */
/** @import { Postgres } from './postgres.mjs' */
/** @import { Context } from './service.mjs' */

/** @typedef {{ data: { alerts: { state: string, labels: { alertname: string } }[] } }} Alerts */

/**
 * Waits and ranges of the rules are this much shorter, so that ten minutes are twenty seconds. Thresholds are as they
 * are.
 */
const faster = 30
const firesWithinMs = 90_000
const simToken = 'the-token-of-the-deploy-test'

/** Returns the rules with shorter waits and ranges. */
function fasterRules() {
  /**
   * @param {string} _all
   * @param {string} before
   * @param {string} count
   * @param {string} of
   * @param {string} after
   */
  const shorten = (_all, before, count, of, after) =>
    `${before}${Math.max(2, Math.round((Number(count) * (of === 'm' ? 60 : 1)) / faster))}s${after}`
  return readFileSync(path.join(root, 'deploy/prometheus/rules.yml'), 'utf8')
    .replaceAll(/(for: )(\d+)([sm])()/g, shorten)
    .replaceAll(/(\[)(\d+)([sm])(\])/g, shorten)
}

/** Starts a receiver of webhooks that accepts them. */
async function startReceiver() {
  const server = createServer((request, response) => request.resume().on('end', () => response.end('ok')))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = /** @type {AddressInfo} */ (server.address())
  return { url: `http://127.0.0.1:${port}/`, stop: () => server.close() }
}

/** @param {Context & { databaseUrl: string, receiver: { url: string } }} given */
async function startService({ folder, packed, databaseUrl, receiver }) {
  const env = settings(folder, databaseUrl, {
    NODE_ENV: 'development',
    SIM_CONTROL: '1',
    SIM_TOKEN: simToken,
    SIM_SPEED: '1',
    UNSAFE_DISABLE_PACING: '1',
    UNSAFE_DISABLE_RATE_LIMIT: '1',
    ALLOW_PRIVATE_TARGETS: '127.0.0.1/32',
    LOG_LEVEL: 'fatal',
  })
  const { api, worker, host, client } = await startAll(packed, env, receiver.url)
  const apis = [api, await startProcess(packed, env, 'api')]
  const workers = [worker]
  const [number] = (await client.numbers.list()).sessions
  if (number === undefined) throw refusal('The organization has no number')
  return {
    env,
    apis,
    workers,
    host,
    client,
    /** @param {string[]} args */
    operate: (...args) => operate(packed, env, ...args),
    containerId: number.id,
    startWorker: async () => workers.push(await startProcess(packed, env, 'worker')),
    /**
     * Controls the simulated network, as msgctl sim does.
     *
     * @param {string} call
     * @param {object} [body]
     */
    async sim(call, body = {}) {
      const response = await fetch(`${api.address}/sim/${call}`, {
        method: 'POST',
        headers: { 'x-sim-token': simToken, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      if (!response.ok) throw refusal(`/sim/${call} responded with ${response.status}: ${await response.text()}`)
    },
  }
}

/** @param {string} address */
async function firing(address) {
  const response = await fetch(`${address}/api/v1/alerts`)
  const { data } = /** @type {Alerts} */ (await response.json())
  return data.alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname)
}

/**
 * Fires every alert. Throws when one fires without a fault, or does not fire.
 *
 * @param {Context} context
 * @param {string} databaseUrl
 * @param {Postgres} postgres
 */
export async function fireAlerts({ folder, packed }, databaseUrl, { psql }) {
  const own = path.join(folder, 'alerts')
  mkdirSync(own)
  const rules = path.join(own, 'rules.yml')
  writeFileSync(rules, fasterRules())
  const names = [...fasterRules().matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name)
  const receiver = await startReceiver()
  const service = await startService({ folder, packed, databaseUrl, receiver })
  const processes = () => [...service.apis, ...service.workers]
  const prometheus = await startPrometheus(own, processes(), { rules, hosts: [service.host] })
  const load = setInterval(() => service.client.account.me().catch(() => undefined), 250)
  /** @type {Map<string, string>} */
  const seen = new Map()
  try {
    await wait(10_000)
    const early = await firing(prometheus.address)
    if (early.length > 0) throw refusal(`These fire without a fault: ${early.join(', ')}`)
    for (const { alerts, cause } of faults) {
      const begun = performance.now()
      const end = await cause({ ...service, psql, databaseUrl })
      const missing = new Set(alerts)
      await until(
        `Alerts that do not fire: ${alerts.join(', ')}`,
        async () => {
          for (const name of await firing(prometheus.address)) {
            if (missing.delete(name)) seen.set(name, ((performance.now() - begun) / 1000).toFixed(0))
          }
          return missing.size === 0
        },
        firesWithinMs,
      ).finally(end)
    }
    const never = names.filter((name) => !seen.has(name))
    if (never.length > 0) throw refusal(`No fault fires ${never.join(', ')}`)
    return `none without a fault; ${[...seen].map(([name, after]) => `${name} after ${after} s`).join(', ')}`
  } catch (error) {
    throw refusal(
      `${messageOf(error)}\nfired: ${[...seen.keys()].join(', ')}\n${isRefusal(error) ? '' : stackOf(error)}`,
    )
  } finally {
    clearInterval(load)
    receiver.stop()
    await prometheus.stop()
    for (const each of [...processes(), service.host]) await each.stop('SIGKILL')
  }
}
