import { describe, it } from 'vitest'
import { expectNoFaults, summary } from './outcome.ts'
import { makePlan, planLines, shortWahaSize, wahaSize } from './plan.ts'
import { run } from './run.ts'

/** `npm run proof -- chaos --gateway waha` sets how many rounds there are, and the seed. */
const isFull = process.env.CHAOS_GATEWAY === 'waha'
const seed = Number(process.env.CHAOS_SEED ?? 1)
const size = isFull ? wahaSize(Number(process.env.CHAOS_ROUNDS ?? 50)) : shortWahaSize
const plan = makePlan(seed, size)
const healthyWithinMs = isFull ? Number(process.env.CHAOS_HEALTHY_MS ?? 5000) : 60_000
/** Ends a run that hangs. */
const limitMs = isFull ? 3_600_000 : 300_000
const print = isFull ? console.log : () => undefined

describe(`a service over WAHA whose parts are killed, by the plan of seed ${seed}`, () => {
  it('loses nothing and sends nothing twice, although webhooks come late, twice and out of order', {
    timeout: limitMs,
  }, async () => {
    print(planLines(plan).join('\n'))
    const outcome = await run({
      seed,
      size,
      network: 'waha',
      healthyWithinMs,
      onRound: (round) => (round + 1) % 10 === 0 && print(`round ${round + 1} is over`),
    })
    print(summary(seed, outcome))
    expectNoFaults(plan, outcome)
  })
})
