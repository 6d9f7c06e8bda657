// How fast queued messages leave, without pace and into a network that takes no time, against queues of jobs that do
// nothing.
import { countedNetwork, drainOurs, env } from './drain/ours.mjs'
import { drainGraphileWorker, drainPgBoss, inBatches } from './drain/peers.mjs'
import { measureRounds, median, ratios } from './results/report.mjs'
import { linkedNumbers, quiet, record, withService } from './support/harness.mjs'

/** Enough for a third of a second: the first and the last moments, in which few are under way, weigh little then. */
const messages = 8000
/** For a contestant that takes seconds for a thousand; its rate does not depend on how many there are. */
const fewer = 2500
/** For one that takes a fifth of a second for eight thousand. */
const more = 16_000
const rounds = 11
/**
 * Messages a second, by the count of numbers.
 * @type {Record<number, number>}
 */
const least = { 1: 5000, 1000: 15_000 }
const targets = { 'graphile-worker': 1, 'pg-boss': 1 }

for (const numbers of [1, 1000]) {
  await withService(
    env,
    async (harness) => {
      /** @type {number[]} */
      const seconds = []
      const made = await linkedNumbers(harness, numbers)
      await quiet(harness)
      const { environment } = harness
      const graphile = await drainGraphileWorker(environment.DATABASE_URL, fewer)
      const batching = await drainGraphileWorker(environment.DATABASE_URL, more, inBatches)
      const boss = await drainPgBoss(environment.DATABASE_URL, messages)
      try {
        const found = await measureRounds(
          {
            async ours() {
              const { copyMs, sentMs, rollUpMs } = await drainOurs(harness, made, messages)
              seconds.push((copyMs + sentMs + rollUpMs) / 1000)
              return messages / (sentMs / 1000)
            },
            'graphile-worker': graphile.measure,
            // Without a target: it keeps nothing of a finished job, and our product is what it leaves out.
            'graphile-worker in batches of 500': batching.measure,
            'pg-boss': boss.measure,
          },
          rounds,
        )
        record(
          `messages sent over ${numbers} number(s), and brought into the search and the chats`,
          messages / median(seconds.slice(1)),
          { unit: 'a second', digits: 0 },
        )
        ratios(`messages sent over ${numbers} number(s)`, found, { unit: 'a second', targets, atLeast: least[numbers] })
      } finally {
        await graphile.stop()
        await batching.stop()
        await boss.stop()
      }
    },
    { gateway: countedNetwork },
  )
}
