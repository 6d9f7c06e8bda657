// What a service with a thousand linked numbers and nothing to do asks of its database.
import { countQueries, linkedNumbers, quiet, record, withService } from './support/harness.mjs'

const numbers = 1000
/** Every job runs once in the first quarter of a minute. */
const settleSeconds = 20
/** Numbers are checked each minute, and jobs run once a minute at most often but for a few. */
const idleSeconds = 60
const counted = countQueries()

await withService({ SIM_SPEED: '0', SIM_AUTOLINK: '1' }, async (harness) => {
  await linkedNumbers(harness, numbers)
  await quiet(harness)
  await wait(settleSeconds)
  const before = counted.count()
  await wait(idleSeconds)
  record('queries of an idle service with 1,000 linked numbers', (counted.count() - before) / idleSeconds, {
    unit: 'a second',
    atMost: 5,
  })
})

/** @param {number} forSeconds */
function wait(forSeconds) {
  return new Promise((resolve) => setTimeout(resolve, forSeconds * 1000))
}
