import { describe, it } from 'vitest'
import { expectNoFaults, summary } from './outcome.ts'
import { makePlan, planLines, wahaSize } from './plan.ts'
import { run } from './run.ts'

/**
 * `npm run proof -- chaos --gateway waha` sets how many rounds there are, and the seed. There is no short form: what a
 * death costs does not depend on the driver, and the tests of the driver meet each fault of webhooks alone.
 */
const isAsked = process.env.CHAOS_GATEWAY === 'waha'
const seed = Number(process.env.CHAOS_SEED ?? 1)
const size = wahaSize(Number(process.env.CHAOS_ROUNDS ?? 50))
const plan = makePlan(seed, size)
const healthyWithinMs = Number(process.env.CHAOS_HEALTHY_MS ?? 5000)
/** Ends a run that hangs. */
const limitMs = 3_600_000

describe.runIf(isAsked)(`a service over WAHA whose parts are killed, by the plan of seed ${seed}`, () => {
  it('loses nothing and sends nothing twice, although webhooks come late, twice and out of order', {
    timeout: limitMs,
  }, async () => {
    console.log(planLines(plan).join('\n'))
    const outcome = await run({
      seed,
      size,
      network: 'waha',
      healthyWithinMs,
      onRound: (round) => (round + 1) % 10 === 0 && console.log(`round ${round + 1} is over`),
    })
    console.log(summary(seed, outcome))
    expectNoFaults(plan, outcome)
  })
})
