// How long a full list of recipients and a full batch take over HTTP, with a simulated network that takes no time.
import { linkedNumbers, makeKey, record, withService } from './support/harness.mjs'

const env = { SIM_SPEED: '0', SIM_AUTOLINK: '1', PORT: '0' }

/**
 * `count` phone numbers that were never checked; `area` keeps lists apart.
 * @param {string} area
 * @param {number} count
 */
function people(area, count) {
  return Array.from({ length: count }, (_, n) => `+49 ${area} ${String(n).padStart(7, '0')}`)
}

/**
 * What the API responds with; each route responds with some of it.
 * @typedef {{ error: unknown, validNumbers: { chatId: string }[], count: number }} Answer
 */

/**
 * Calls the API with the organization's key. Returns the body and the duration.
 * @param {{ address: string, apiKey: string }} options
 * @returns {(path: string, body: object) => Promise<{ answer: Answer, ms: number }>}
 */
function caller({ address, apiKey }) {
  return async (path, body) => {
    const began = performance.now()
    const response = await fetch(`${address}/api/v1${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
      body: JSON.stringify(body),
    })
    const answer = /** @type {Answer} */ (await response.json())
    const ms = performance.now() - began
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${JSON.stringify(answer.error)}`)
    return { answer, ms }
  }
}

await withService(env, async (harness) => {
  const [{ createApp, listen }, { handlers }] = await Promise.all([
    import('@msgctl/server/process/app'),
    import('@msgctl/server/process/handlers'),
  ])
  const { organizationId } = await linkedNumbers(harness, 1)
  const apiKey = await makeKey(harness, organizationId)
  const http = await listen(createApp(harness.services, handlers), harness.services.config)
  try {
    const post = caller({ address: http.address, apiKey })

    const phones = people('151', 10_000)
    const first = await post('/recipients/validate', { phones })
    if (first.answer.validNumbers.some(({ chatId }) => chatId === '')) throw new Error('not everybody was asked about')
    record('/recipients/validate of 10,000 strangers', first.ms, { unit: 'ms', atMost: 10_000 })
    const again = await post('/recipients/validate', { phones })
    record('/recipients/validate of 10,000 that are known', again.ms, { unit: 'ms', atMost: 1500 })

    const message = 'x'.repeat(4096)
    const batch = await post('/alert/batch', { recipients: people('152', 500), message })
    if (batch.answer.count !== 500) throw new Error(`${batch.answer.count} messages were queued instead of 500`)
    record('/alert/batch to 500 strangers', batch.ms, { unit: 'ms', atMost: 1500 })
    const known = await post('/alert/batch', { recipients: people('151', 500), message })
    record('/alert/batch to 500 that are known', known.ms, { unit: 'ms', atMost: 750 })
  } finally {
    await http.stop()
  }
})
