// The dashboard, asked of a real Prometheus that watches the service.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { dashboard } from '../../../deploy/grafana/dashboard.mjs'
import { refusal } from '../../scripts/process.mjs'
import { freePort, start, until } from './programs.mjs'
import { addNumber, clientOf, createOrganization, operate, sendAndWait, settings, startProcess } from './service.mjs'

/** @import { Panel } from '../../../deploy/grafana/dashboard.mjs' */
/** @import { Context, ServiceProcess } from './service.mjs' */

/**
 * Returns the pairs of panels that lie over each other.
 *
 * @param {{ panels: readonly Panel[] }} dashboard
 */
export function overlaps({ panels }) {
  /**
   * @param {Panel['gridPos']} a
   * @param {Panel['gridPos']} b
   */
  const crosses = (a, b) => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h
  return panels.flatMap((one, n) =>
    panels
      .slice(n + 1)
      .filter((other) => crosses(one.gridPos, other.gridPos))
      .map((other) => `${one.title} and ${other.title}`),
  )
}

/**
 * Asks every query of the dashboard. Throws when one has no data.
 *
 * @param {Context & { databaseUrl: string }} given
 */
export async function queriesWithoutData({ folder, packed, databaseUrl }) {
  const env = settings(folder, databaseUrl)
  operate(packed, env, 'migrate')
  const organization = createOrganization(packed, env)
  const api = await startProcess(packed, env, 'api')
  const processes = [api, await startProcess(packed, env, 'worker')]
  const prometheus = await startPrometheus(folder, processes)
  try {
    const client = clientOf(api.address, organization.apiKey)
    await addNumber(api.address, organization)
    await sendAndWait(client, 5)
    await client.messages.get({ id: 'no-such-id' }).catch(() => undefined)
    // Rates need two readings.
    await wait(8000)
    const queries = dashboard().panels.flatMap(({ title, targets = [] }) =>
      targets.map(({ expr }) => ({ title, expr })),
    )
    const empty = []
    for (const { title, expr } of queries)
      if (!(await hasData(prometheus.address, expr))) empty.push(`${title}: ${expr}`)
    if (empty.length > 0) throw refusal(`These queries have no data:\n${empty.join('\n')}`)
    return `${queries.length} queries with data, no panel over another`
  } finally {
    await prometheus.stop()
    for (const each of processes) await each.stopWell()
  }
}

/**
 * Starts Prometheus, which reads the metrics of these processes and gateway hosts each second and evaluates `rules`, a
 * file.
 *
 * @param {string} folder
 * @param {ServiceProcess[]} processes
 * @param {{ rules?: string, hosts?: { metrics: string }[] }} [options]
 */
export async function startPrometheus(folder, processes, { rules, hosts = [] } = {}) {
  const own = path.join(folder, 'prometheus')
  mkdirSync(own)
  /** @param {{ metrics: string }[]} running */
  const targetsOf = (running) => [{ targets: running.map(({ metrics }) => new URL(metrics).host) }]
  const file = path.join(own, 'prometheus.yml')
  writeFileSync(
    file,
    JSON.stringify({
      global: { scrape_interval: '1s', evaluation_interval: '1s' },
      rule_files: rules === undefined ? [] : [rules],
      scrape_configs: [
        { job_name: 'msgctl', static_configs: targetsOf(processes) },
        { job_name: 'msgctl-gateway', static_configs: targetsOf(hosts) },
      ],
    }),
  )
  const port = await freePort()
  const running = start('prometheus', [
    `--config.file=${file}`,
    `--storage.tsdb.path=${own}/data`,
    `--web.listen-address=127.0.0.1:${port}`,
  ])
  const address = `http://127.0.0.1:${port}`
  await until('Prometheus', () => fetch(`${address}/-/ready`).then(({ ok }) => ok))
  return { address, stop: () => running.stop() }
}

/**
 * @param {string} address
 * @param {string} expr
 */
async function hasData(address, expr) {
  const query = expr.replaceAll('$job', 'msgctl').replaceAll('$__rate_interval', '1m')
  const response = await fetch(`${address}/api/v1/query?query=${encodeURIComponent(query)}`)
  const { data } = /** @type {{ data?: { result?: unknown[] } }} */ (await response.json())
  return (data?.result?.length ?? 0) > 0
}
