// npm run proof -- chaos [--seed N --rounds N --gateway waha]: a service of several processes, broken by a plan that
// follows from the seed.
import { parseArgs } from 'node:util'
import { run, tool } from '../scripts/process.mjs'

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    rounds: { type: 'string' },
    gateway: { type: 'string', default: 'simulator' },
    'healthy-ms': { type: 'string', default: '5000' },
  },
})
const { gateway, 'healthy-ms': healthyMs, seed = String(1 + Math.floor(Math.random() * 999_999)) } = values
if (!['simulator', 'waha'].includes(gateway)) throw new Error(`--gateway must be simulator or waha, not ${gateway}`)
const isWaha = gateway === 'waha'
const { rounds = isWaha ? '50' : '100' } = values
for (const [name, text] of Object.entries({ seed, rounds, 'healthy-ms': healthyMs })) {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new Error(`--${name} must be a whole number from 1 to 999999, not ${text}`)
}
const again = `npm run proof -- chaos --seed ${seed} --rounds ${rounds}${isWaha ? ' --gateway waha' : ''}`
console.log(`${rounds} rounds of seed ${seed}; ${again} repeats their faults`)

/** One after the other: what runs beside it would make the service look slower than it is. */
const broken = await run(
  tool('vitest'),
  ['run', '--project', 'service', `tools/proofs/chaos/${isWaha ? 'waha' : 'chaos'}.test.ts`],
  {
    env: {
      ...process.env,
      CHAOS_GATEWAY: gateway,
      CHAOS_SEED: seed,
      CHAOS_ROUNDS: rounds,
      CHAOS_HEALTHY_MS: healthyMs,
    },
  },
)
const folder = 'packages/server/src/sending'
const states = ['campaigns', 'reminders'].map((resource) => `${folder}/${resource}/state-transitions.test.ts`)
const lost = isWaha
  ? 0
  : await run(tool('vitest'), ['run', '--project', 'service', ...states], {
      env: { ...process.env, CHAOS: 'full' },
    })
process.exitCode = broken || lost
