// The queues that people would use instead, set up to be fast, each with jobs that do nothing. Their tables are
// vacuumed and analyzed when they are filled: otherwise autovacuum's next turn decides what plans they get and how many
// dead rows they read.
import { Logger, makeWorkerUtils, run } from 'graphile-worker'
import PgBoss from 'pg-boss'

const concurrency = 20
/**
 * Jobs that pg-boss has completed before, which it keeps. Without them each fetch reads its whole table, at six tenths
 * of the rate.
 */
const completed = 100_000

/** Fetches and completes many jobs at once, which its documentation advises for high throughput (default: off). */
export const inBatches = { localQueue: { size: 500 }, completeJobBatchDelay: 0, failJobBatchDelay: 0 }

/**
 * graphile-worker, many jobs at a time in one process; the jobs are stored before it starts.
 * @param {string} connectionString
 * @param {number} count
 * @param {Record<string, unknown>} [settings]
 */
export async function drainGraphileWorker(connectionString, count, settings = {}) {
  const jobs = await makeWorkerUtils({ connectionString, logger: silent() })
  await jobs.migrate()
  return {
    async measure() {
      await jobs.addJobs(Array.from({ length: count }, (_, n) => ({ identifier: 'nothing', payload: { n } })))
      await jobs.withPgClient((client) => client.query('vacuum analyze graphile_worker._private_jobs'))
      const all = resolvers()
      let done = 0
      async function nothing() {
        done += 1
        if (done === count) all.resolve()
      }
      const began = performance.now()
      const runner = await run({
        preset: {
          worker: {
            connectionString,
            concurrentJobs: concurrency,
            maxPoolSize: concurrency,
            ...settings,
          },
        },
        noHandleSignals: true,
        logger: silent(),
        taskList: { nothing },
      })
      await all.promise
      const seconds = (performance.now() - began) / 1000
      await runner.stop()
      return count / seconds
    },
    stop: () => jobs.release(),
  }
}

/**
 * pg-boss by its fetch and complete, a hundred jobs at a time: its own polling waits half a second between batches.
 * @param {string} connectionString
 * @param {number} count
 */
export async function drainPgBoss(connectionString, count) {
  const boss = new PgBoss({ connectionString, max: concurrency, supervise: false, schedule: false })
  boss.on('error', (error) => console.error(error.message))
  await boss.start()
  await boss.createQueue('nothing')
  await boss.getDb().executeSql(
    `insert into pgboss.job (name, data, state)
     select 'nothing', jsonb_build_object('n', n), 'completed' from generate_series(1, ${completed}) n`,
  )
  async function work() {
    for (;;) {
      const jobs = await boss.fetch('nothing', { batchSize: 100 })
      if (jobs.length === 0) return
      await boss.complete(
        'nothing',
        jobs.map((job) => job.id),
      )
    }
  }
  return {
    async measure() {
      for (let from = 0; from < count; from += 1000) {
        await boss.insert(Array.from({ length: 1000 }, (_, n) => ({ name: 'nothing', data: { n: from + n } })))
      }
      await boss.getDb().executeSql('vacuum analyze pgboss.job')
      const began = performance.now()
      await Promise.all(Array.from({ length: concurrency }, work))
      return count / ((performance.now() - began) / 1000)
    },
    stop: () => boss.stop({ graceful: false, close: true }),
  }
}

function silent() {
  return new Logger(() => (level, message) => {
    if (level === 'error') console.error(message)
  })
}

function resolvers() {
  /** @type {() => void} */
  let resolve = () => {}
  /** @type {Promise<void>} */
  const promise = new Promise((done) => {
    resolve = done
  })
  return { promise, resolve }
}
