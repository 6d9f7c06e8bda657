// How many codes a second leave over HTTP from many organizations, with a simulated network that takes no time.
import { openCaller } from './caller.mjs'
import { cpuMs } from './cpu.mjs'
import { linkedNumbers, load, mark, withService } from './ground.mjs'

const organizations = 100
/** Below the 60 that an organization may send in a minute. */
const codesEach = 50
const atOnce = 64

await withService({ SIM_SPEED: '0', SIM_AUTOLINK: '1', PORT: '0' }, async (ground) => {
  const [{ createApp, listen }, { handlers }, { firstKey }] = await Promise.all(
    ['app', 'handlers', 'account/key'].map((name) => load(name)),
  )
  const keys = await Promise.all(
    Array.from({ length: organizations }, async () => {
      const { organizationId } = await linkedNumbers(ground, 1)
      return (await firstKey(ground.db, organizationId, null)).apiKey
    }),
  )
  const http = await listen(createApp(ground.services, handlers), ground.services.config)

  /** Sends one code to a phone that got none yet; answers how long it took. */
  async function send(caller, n) {
    const began = performance.now()
    const phone = `49151${String(n).padStart(7, '0')}`
    const { status, text } = await caller.post('/api/v1/otp/send', keys[n % organizations], { phone })
    if (status !== 201) throw new Error(`a code was answered ${status}: ${text}`)
    return performance.now() - began
  }

  const callers = await Promise.all(Array.from({ length: atOnce }, () => openCaller(http.address)))
  try {
    const times = []
    const total = organizations * codesEach
    let next = 0
    async function keepSending(caller) {
      while (next < total) times.push(await send(caller, next++))
    }
    const cpuBefore = cpuMs()
    const began = performance.now()
    await Promise.all(callers.map(keepSending))
    const seconds = (performance.now() - began) / 1000
    const cpuAfter = cpuMs()
    times.sort((a, b) => a - b)
    mark(`codes of ${organizations} organizations`, total / seconds, { unit: 'a second', atLeast: 500 })
    // Two cores give 2,000 ms a second, which is 4 ms for each of 500 codes.
    if (cpuBefore !== null) {
      mark('CPU, Postgres and callers included', (cpuAfter - cpuBefore) / total, { unit: 'ms a code', atMost: 4 })
    }
    mark('the 99th percentile of one', times[Math.floor(total * 0.99)], { unit: 'ms', atMost: 1000 })
  } finally {
    for (const caller of callers) caller.end()
    await http.stop()
  }
})
