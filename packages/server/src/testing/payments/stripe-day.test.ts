import { describe, expect, it } from 'vitest'
import { scenarios } from '#billing/payments/scenarios.ts'
import { playScenario, scenarioPrices } from './play-scenario.ts'
import { simProvider } from './sim-provider.ts'
import { simulatorStage, stripeStage } from './stages.ts'
import { transcripts } from './transcripts.ts'

const simulator = simulatorStage(await simProvider({ prices: scenarioPrices }))

/** `npm run proof -- stripe-day` with a test key of Stripe plays the same histories there, and compares. */
const key = process.env.STRIPE_SECRET_KEY
const stripe = key?.includes('_test_') ? await stripeStage(key) : null

/** The lines of two transcripts side by side, where they differ. */
function differences(ours: readonly string[], theirs: readonly string[]): string[] {
  return ours.flatMap((line, index) =>
    line === theirs[index] ? [] : [`simulator  ${line}`, `stripe     ${theirs[index]}`],
  )
}

describe('the simulator', () => {
  it.each(scenarios.map((scenario) => [scenario.name, scenario] as const))(
    'plays: %s',
    async (name, scenario) => {
      const ours = await playScenario(simulator, scenario)
      expect(ours).toEqual(transcripts[name])
      if (stripe === null) return
      const theirs = await playScenario(stripe, scenario)
      expect(differences(ours, theirs)).toEqual([])
    },
    stripe === null ? 60_000 : 600_000,
  )
})
