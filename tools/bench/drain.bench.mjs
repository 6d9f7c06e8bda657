// How fast queued messages leave, without pace and into a network that takes no time, against queues of jobs that do
// nothing.
import { countedNetwork, drainOurs, env } from './drain/ours.mjs'
import { measureRounds, median, ratios } from './results/report.mjs'
import { linkedNumbers, quiet, record, withService } from './support/harness.mjs'
import { canRunPeers, graphileWorker, pgBoss, recordWithoutPeers } from './support/peers.mjs'

/** @import { Measure } from './results/report.mjs' */

/** Enough for a third of a second: the first and the last moments, in which few are under way, weigh little then. */
const messages = 8000
/** For one that takes a fifth of a second for eight thousand. */
const more = 16_000
const isBrief = process.env.BENCH_BRIEF !== undefined
/** The least messages a second and the rounds, by the count of numbers. */
const sizes = [
  { numbers: 1, atLeast: 5000, rounds: isBrief ? 5 : 7 },
  { numbers: 1000, atLeast: 15_000, rounds: isBrief ? 7 : 11 },
]
const targets = { [graphileWorker]: 1, [pgBoss]: 1 }

for (const { numbers, atLeast, rounds } of sizes) {
  await withService(
    env,
    async (harness) => {
      /** @type {number[]} */
      const seconds = []
      const made = await linkedNumbers(harness, numbers)
      await quiet(harness)
      const what = `messages sent over ${numbers} number(s)`
      // A queue of jobs has no numbers, so the others are measured beside one of the two.
      const others = numbers > 1 ? await openOthers(harness.environment.DATABASE_URL, what) : []
      try {
        const found = await measureRounds(
          {
            async ours() {
              const { copyMs, sentMs, rollUpMs } = await drainOurs(harness, made, messages)
              seconds.push((copyMs + sentMs + rollUpMs) / 1000)
              return messages / (sentMs / 1000)
            },
            ...Object.fromEntries(
              others.map(({ name, measure }) => /** @type {[string, Measure]} */ ([name, measure])),
            ),
          },
          rounds,
        )
        record(`${what}, and brought into the search and the chats`, messages / median(seconds.slice(1)), {
          unit: 'a second',
          digits: 0,
        })
        ratios(what, found, { unit: 'a second', targets, atLeast })
      } finally {
        for (const { stop } of others) await stop()
      }
    },
    { gateway: countedNetwork },
  )
}

/**
 * Opens the queues that the drain is compared with, none where Node is too old for them.
 * @param {string} url
 * @param {string} what
 */
async function openOthers(url, what) {
  if (!canRunPeers) {
    for (const name of Object.keys(targets)) recordWithoutPeers(`${what}, against ${name}`)
    return []
  }
  const { drainGraphileWorker, drainPgBoss } = await import('./drain/peers.mjs')
  return [
    { name: graphileWorker, ...(await drainGraphileWorker(url, more)) },
    { name: pgBoss, ...(await drainPgBoss(url, messages)) },
  ]
}
