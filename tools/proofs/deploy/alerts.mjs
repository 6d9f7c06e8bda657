// Every alert of deploy/prometheus/rules.yml, fired once by a fault of the running service.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { refusal, root } from '../../scripts/process.mjs'
import { faults } from './faults.mjs'
import { startPrometheus } from './monitoring.mjs'
import { until } from './programs.mjs'
import { addNumber, clientOf, createOrganization, operate, sendAndWait, settings, startProcess } from './service.mjs'

/** Waits and ranges of the rules are this much shorter, so that ten minutes are twenty seconds. Thresholds are as they are. */
const faster = 30
const firesWithinMs = 90_000
const simToken = 'the-token-of-the-deploy-test'

/** Returns the rules with shorter waits and ranges. */
function fasterRules() {
  const unit = { s: 1, m: 60 }
  const shorten = (_all, before, count, of, after) =>
    `${before}${Math.max(2, Math.round((count * unit[of]) / faster))}s${after}`
  return readFileSync(path.join(root, 'deploy/prometheus/rules.yml'), 'utf8')
    .replaceAll(/(for: )(\d+)([sm])()/g, shorten)
    .replaceAll(/(\[)(\d+)([sm])(\])/g, shorten)
}

/** Starts a receiver of webhooks that accepts them. */
async function startReceiver() {
  const server = createServer((request, response) => request.resume().on('end', () => response.end('ok')))
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${server.address().port}/`, stop: () => server.close() }
}

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
  operate(packed, env, 'migrate')
  const organization = createOrganization(packed, env)
  const apis = [await startProcess(packed, env, 'api'), await startProcess(packed, env, 'api')]
  const workers = [await startProcess(packed, env, 'worker')]
  const [{ address }] = apis
  await addNumber(address, organization)
  const client = clientOf(address, organization.apiKey)
  await client.webhook.set({ webhookUrl: receiver.url })
  await sendAndWait(client, 5)
  const [{ id: containerId }] = (await client.numbers.list()).sessions
  return {
    env,
    apis,
    workers,
    client,
    containerId,
    startWorker: async () => workers.push(await startProcess(packed, env, 'worker')),
    /** Controls the simulated network, as msgctl sim does. */
    async sim(call, body = {}) {
      const response = await fetch(`${address}/sim/${call}`, {
        method: 'POST',
        headers: { 'x-sim-token': simToken, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      if (!response.ok) throw refusal(`/sim/${call} responded with ${response.status}: ${await response.text()}`)
    },
  }
}

async function firing(address) {
  const { data } = await (await fetch(`${address}/api/v1/alerts`)).json()
  return data.alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname)
}

/** Fires every alert. Throws when one fires without a fault, or does not fire. */
export async function fireAlerts({ folder, packed }, databaseUrl, { psql }) {
  const own = path.join(folder, 'alerts')
  mkdirSync(own)
  const rules = path.join(own, 'rules.yml')
  writeFileSync(rules, fasterRules())
  const names = [...fasterRules().matchAll(/- alert: (\w+)/g)].map(([, name]) => name)
  const receiver = await startReceiver()
  const service = await startService({ folder, packed, databaseUrl, receiver })
  const processes = () => [...service.apis, ...service.workers]
  const prometheus = await startPrometheus(own, processes(), { rules })
  const load = setInterval(() => service.client.account.me().catch(() => undefined), 250)
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
    throw refusal(`${error.message}\nfired: ${[...seen.keys()].join(', ')}\n${error.expected ? '' : error.stack}`)
  } finally {
    clearInterval(load)
    receiver.stop()
    await prometheus.stop()
    for (const each of processes()) await each.stop('SIGKILL')
  }
}
