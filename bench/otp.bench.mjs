// How many codes a second leave over HTTP from many organizations, with a simulated network that takes no time.
import { linkedNumbers, load, mark, withService } from './ground.mjs'

const organizations = 100
/** Below the 60 that an organization may send in a minute. */
const codesEach = 50
const callers = 64

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
  async function send(n) {
    const began = performance.now()
    const response = await fetch(`${http.address}/api/v1/otp/send`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': keys[n % organizations] },
      body: JSON.stringify({ phone: `49151${String(n).padStart(7, '0')}` }),
    })
    if (response.status !== 201) throw new Error(`a code was answered ${response.status}: ${await response.text()}`)
    await response.arrayBuffer()
    return performance.now() - began
  }

  try {
    const times = []
    const total = organizations * codesEach
    let next = 0
    async function keepSending() {
      while (next < total) times.push(await send(next++))
    }
    const began = performance.now()
    await Promise.all(Array.from({ length: callers }, keepSending))
    const seconds = (performance.now() - began) / 1000
    times.sort((a, b) => a - b)
    mark(`codes of ${organizations} organizations`, total / seconds, { unit: 'a second', atLeast: 500 })
    mark('the 99th percentile of one', times[Math.floor(total * 0.99)], { unit: 'ms', atMost: 1000 })
  } finally {
    await http.stop()
  }
})
