// The queues that the service is compared with, in their newest versions. They need a newer Node than the service.
import { readFileSync } from 'node:fs'
import { recordNotMeasured } from '../results/report.mjs'

/** @import { Logger, TaskList } from 'graphile-worker' */

const leastNode = [22, 18]

const { dependencies } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
export const pgBoss = `pg-boss ${dependencies['pg-boss']}`
export const graphileWorker = `graphile-worker ${dependencies['graphile-worker']}`

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const [leastMajor = 0, leastMinor = 0] = leastNode
/** Whether this Node can run them. */
export const canRunPeers = major > leastMajor || (major === leastMajor && minor >= leastMinor)

/**
 * Records that a comparison with them needs another Node.
 * @param {string} what
 */
export function recordWithoutPeers(what) {
  recordNotMeasured(what, `it needs Node ${leastNode.join('.')} (npm run bench -- --node 24)`)
}

/** Connections of each. */
export const poolSize = 20

/**
 * Starts pg-boss without its periodic work.
 * @param {string} connectionString
 * @param {{ useListenNotify?: boolean }} [options]
 */
export async function openPgBoss(connectionString, options = {}) {
  const { PgBoss } = await import('pg-boss')
  const boss = new PgBoss({ connectionString, max: poolSize, supervise: false, schedule: false, ...options })
  boss.on('error', (error) => console.error(error.message))
  await boss.start()
  return boss
}

/**
 * Opens graphile-worker, to add jobs, with its tables. `settings` are those of a runner that `run` starts.
 * @param {string} connectionString
 */
export async function openGraphileWorker(connectionString) {
  const { Logger, makeWorkerUtils, run } = await import('graphile-worker')
  /** @type {Logger} */
  const logger = new Logger(() => (level, message) => {
    if (level === 'error') console.error(message)
  })
  const jobs = await makeWorkerUtils({ connectionString, maxPoolSize: poolSize, logger })
  await jobs.migrate()
  return {
    jobs,
    /**
     * @param {TaskList} taskList
     * @param {Record<string, unknown>} [settings]
     */
    work: (taskList, settings = {}) =>
      run({
        preset: { worker: { connectionString, concurrentJobs: poolSize, maxPoolSize: poolSize, ...settings } },
        noHandleSignals: true,
        logger,
        taskList,
      }),
  }
}
