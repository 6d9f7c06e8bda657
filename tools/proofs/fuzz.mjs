// npm run proof -- fuzz [--seed N --requests N --operations alert.send,otp.send]: requests made from the OpenAPI
// document, and every response is compared with it.
import { parseArgs } from 'node:util'
import { run, tool } from '../scripts/process.mjs'

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    requests: { type: 'string', default: '20000' },
    operations: { type: 'string' },
  },
})
const seed = values.seed ?? String(1 + Math.floor(Math.random() * 999_999))
for (const [name, text] of Object.entries({ seed, requests: values.requests })) {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`--${name} must be a whole number from 1, not ${text}`)
}
const only = values.operations && { FUZZ_OPERATIONS: values.operations }
console.log(`${values.requests} requests of seed ${seed}; npm run proof -- fuzz --seed ${seed} repeats them`)
process.exitCode = await run(tool('vitest'), ['run', '--project', 'service', 'tools/proofs/fuzz'], {
  env: { ...process.env, FUZZ_SEED: seed, FUZZ_REQUESTS: values.requests, FUZZ_TABLE: '1', ...only },
})
