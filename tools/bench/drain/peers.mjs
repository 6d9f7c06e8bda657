// The queues that people would use instead, set up to be fast, each with jobs that do nothing. Their tables are
// vacuumed and analyzed when they are filled: otherwise autovacuum's next turn decides what plans they get and how many
// dead rows they read.
import { openGraphileWorker, openPgBoss, poolSize } from '../support/peers.mjs'

/**
 * Jobs that pg-boss has completed before, which it keeps. Without them each fetch reads its whole table, at six tenths
 * of the rate.
 */
const completed = 100_000

/** Fetches and completes many jobs at once, which its documentation advises for high throughput (default: off). */
const inBatches = { localQueue: { size: 500 }, completeJobBatchDelay: 0, failJobBatchDelay: 0 }

/**
 * graphile-worker in its fastest mode; the jobs are stored before it starts. A job counts when its completion is
 * written, which in this mode is after its task has ended.
 * @param {string} connectionString
 * @param {number} count
 */
export async function drainGraphileWorker(connectionString, count) {
  const { jobs, work } = await openGraphileWorker(connectionString)
  /** @param {string} sql */
  const query = (sql) => jobs.withPgClient((client) => client.query(sql))
  return {
    async measure() {
      await jobs.addJobs(Array.from({ length: count }, (_, n) => ({ identifier: 'nothing', payload: { n } })))
      await query('vacuum analyze graphile_worker._private_jobs')
      let done = 0
      async function nothing() {
        done += 1
      }
      const began = performance.now()
      const runner = await work({ nothing }, inBatches)
      while (done < count) await new Promise((resolve) => setTimeout(resolve, 5))
      // It deletes the jobs that it has completed.
      while ((await query('select 1 from graphile_worker._private_jobs limit 1')).rows.length > 0) {
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
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
  const boss = await openPgBoss(connectionString)
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
        await boss.insert(
          'nothing',
          Array.from({ length: 1000 }, (_, n) => ({ data: { n: from + n } })),
        )
      }
      await boss.getDb().executeSql('vacuum analyze pgboss.job')
      const began = performance.now()
      await Promise.all(Array.from({ length: poolSize }, work))
      return count / ((performance.now() - began) / 1000)
    },
    stop: () => boss.stop({ graceful: false, close: true }),
  }
}
