// Deliveries as jobs of pg-boss, by its fetch and complete: its own polling waits half a second between batches.
import { nthOf } from '../support/harness.mjs'
import { openPgBoss } from '../support/peers.mjs'
import { bodiesOf, postsPerSecond } from './post.mjs'

/** Batches under way at the same time. */
const atOnce = 4
const batch = 100

/**
 * Returns a function that delivers `count` to these addresses and returns how many a second.
 * @param {string} connectionString
 * @param {number} count
 */
export async function openPosting(connectionString, count) {
  const boss = await openPgBoss(connectionString)
  await boss.createQueue('post')
  return {
    /** @param {string[]} urls */
    async measure(urls) {
      const bodies = bodiesOf(count)
      for (let from = 0; from < count; from += 1000) {
        await boss.insert(
          'post',
          bodies.slice(from, from + 1000).map((body) => ({ data: { body } })),
        )
      }
      await boss.getDb().executeSql('vacuum analyze pgboss.job')
      return postsPerSecond(count, async (post) => {
        let posted = 0
        async function work() {
          for (;;) {
            const jobs = await boss.fetch('post', { batchSize: batch })
            if (jobs.length === 0) return
            await Promise.all(jobs.map(({ data }) => post(nthOf(urls, posted++), data.body)))
            await boss.complete(
              'post',
              jobs.map(({ id }) => id),
            )
          }
        }
        await Promise.all(Array.from({ length: atOnce }, work))
      })
    },
    stop: () => boss.stop({ graceful: false, close: true }),
  }
}
