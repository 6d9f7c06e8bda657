import { describe, it } from 'vitest'
import { expectNoFaults, summary } from './outcome.ts'
import { fullSize, makePlan, planLines, shortSize } from './plan.ts'
import { run } from './run.ts'

/** `npm run proof -- chaos` sets how many rounds there are, and the seed. */
const rounds = Number(process.env.CHAOS_ROUNDS ?? 0)
const seed = Number(process.env.CHAOS_SEED ?? 1)
const size = rounds > 0 ? fullSize(rounds) : shortSize
const plan = makePlan(seed, size)
/** On a machine that does nothing else five seconds are enough; with all other tests beside it no limit is known. */
const healthyWithinMs = rounds > 0 ? Number(process.env.CHAOS_HEALTHY_MS ?? 5000) : 60_000
/** Ends a run that hangs. */
const limitMs = rounds > 0 ? 3_600_000 : 300_000
const print = rounds > 0 ? console.log : () => undefined

describe(`a service whose parts die, stand still and lose each other, by the plan of seed ${seed}`, () => {
  it('loses nothing, does nothing twice, reports everything once, and recovers from each fault', {
    timeout: limitMs,
  }, async () => {
    print(planLines(plan).join('\n'))
    const outcome = await run({
      seed,
      size,
      healthyWithinMs,
      onRound: (round) => (round + 1) % 10 === 0 && print(`round ${round + 1} is over`),
    })
    print(summary(seed, outcome))
    expectNoFaults(plan, outcome)
  })
})
