// How many codes a second leave over HTTP from many organizations, with a simulated network that takes no time: with an
// Idempotency-Key each, as the client sends them, and without.
import { randomUUID } from 'node:crypto'
import { openCaller } from './support/caller.mjs'
import { cpuMs } from './support/cpu.mjs'
import { nthOf, organizationsWithKeys, record, withService } from './support/harness.mjs'
import { startProgram } from './support/programs.mjs'

/** @import { RequestCaller } from './support/caller.mjs' */

/** @typedef {{ what: string, newKey: () => string | undefined, keys: string[] }} Contestant */

const organizations = 100
/** Below the 60 that an organization may send in a minute, the warm-up's included. */
const codesEach = { warmUp: 8, measured: 50 }
const kinds = [
  { what: 'codes', newKey: () => randomUUID() },
  { what: 'codes without an Idempotency-Key', newKey: () => undefined },
]
const atOnce = 64

await withService({ SIM_SPEED: '0', SIM_AUTOLINK: '1' }, async (harness) => {
  /** @type {Contestant[]} */
  const contestants = []
  for (const kind of kinds) {
    const made = await organizationsWithKeys(harness, organizations)
    contestants.push({ ...kind, keys: made.map(({ apiKey }) => apiKey) })
  }
  await harness.worker.stop()
  const main = new URL('../../packages/server/dist/main.js', import.meta.url)
  const settings = { ...harness.environment, PORT: '0', LOG_LEVEL: 'info' }
  const api = await startProgram(main, { ...settings, SERVICES: 'api' })
  const worker = await startProgram(main, { ...settings, SERVICES: 'worker', METRICS_PORT: '0' })
  const callers = await Promise.all(Array.from({ length: atOnce }, () => openCaller(api.address)))
  let phones = 0

  /**
   * Sends one code to a phone that got none yet. Returns the duration.
   * @param {RequestCaller} caller
   * @param {number} n
   * @param {Contestant} contestant
   */
  async function send(caller, n, { keys, newKey }) {
    const began = performance.now()
    phones += 1
    const phone = `49151${String(phones).padStart(7, '0')}`
    const { status, text } = await caller.post('/api/v1/otp/send', nthOf(keys, n), { phone }, newKey())
    if (status !== 201) throw new Error(`a code was answered ${status}: ${text}`)
    return performance.now() - began
  }

  /** @param {number} total @param {Contestant} as */
  async function sendAll(total, as) {
    /** @type {number[]} */
    const times = []
    let next = 0
    /** @param {RequestCaller} caller */
    async function keepSending(caller) {
      while (next < total) times.push(await send(caller, next++, as))
    }
    await Promise.all(callers.map(keepSending))
    return times.sort((a, b) => a - b)
  }

  /** @param {Contestant} contestant */
  async function measure(contestant) {
    const { what } = contestant
    await sendAll(organizations * codesEach.warmUp, contestant)
    const total = organizations * codesEach.measured
    const cpuBefore = cpuMs()
    const began = performance.now()
    const times = await sendAll(total, contestant)
    const seconds = (performance.now() - began) / 1000
    const cpuAfter = cpuMs()
    record(`${what} of ${organizations} organizations`, total / seconds, { unit: 'a second', digits: 0, atLeast: 500 })
    // Two cores give 2,000 ms a second, which is 4 ms for each of 500 codes.
    if (cpuBefore !== null && cpuAfter !== null) {
      record(`CPU of ${what}, Postgres and callers included`, (cpuAfter - cpuBefore) / total, {
        unit: 'ms each',
        atMost: 4,
        digits: 2,
      })
    }
    const late = /** @type {number} */ (times[Math.floor(total * 0.99)])
    record(`the 99th percentile of ${what}`, late, { unit: 'ms', atMost: 1000 })
  }

  try {
    for (const contestant of contestants) await measure(contestant)
  } finally {
    for (const caller of callers) caller.end()
    await Promise.all([api.stop(), worker.stop()])
  }
})
