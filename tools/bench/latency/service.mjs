// A service with a thousand linked numbers, whose network takes each text at once and reports it as sent a millisecond
// later. It prints where its times are read and where its API is; with API=apart the API is another program's matter.

import { operator } from '@msgctl/server/api/activity/log'
import { listen } from '@msgctl/server/api/http/listen'
import { setWebhook } from '@msgctl/server/events/webhook/configuration/configure'
import { createApp } from '@msgctl/server/process/app'
import { handlers } from '@msgctl/server/process/handlers'
import { emptyNetwork, linkedNumbers, makeKey, quiet, withService } from '../support/harness.mjs'
import { serveTimes } from './times.mjs'

/**
 * @import { Gateway, GatewayEvent, GatewayHandler } from '@msgctl/network/gateway'
 */

const numbers = 1000
const { API, PACING_OFF = 'false', WEBHOOK = '' } = process.env
const env = {
  UNSAFE_DISABLE_PACING: PACING_OFF,
  SIM_SPEED: '0',
  SIM_AUTOLINK: '1',
  ALLOW_PRIVATE_TARGETS: '127.0.0.1/32',
}

/** @type {unknown} */
let setup
const times = await serveTimes(() => setup)

await withService(
  env,
  async (harness) => {
    const { services, environment } = harness
    const made = await linkedNumbers(harness, numbers)
    await quiet(harness)
    const { organizationId, ids } = made
    const apiKey = await makeKey(harness, organizationId)
    await setWebhook(services, { organizationId, actor: operator }, WEBHOOK)
    await harness.db.raw('vacuum analyze')
    setup = { apiKey, ids, environment }
    const place = { host: '127.0.0.1', port: 0 }
    const api = API === 'apart' ? null : await listen(createApp(services, handlers), place)
    console.log(api === null ? times.address : `${times.address} ${api.address}`)
    await times.stopped
    await api?.stop(1000)
  },
  { gateway: instantNetwork },
)
process.exit()

/** @param {Gateway} simulator @returns {Gateway} */
function instantNetwork(simulator) {
  /** @type {GatewayHandler[]} */
  const handlers = []
  /** @type {GatewayEvent[]} */
  const waiting = []
  let isReporting = false
  /** Reports what waits, a batch at a time: as fast as a driver can be. */
  async function report() {
    if (isReporting) return
    isReporting = true
    while (waiting.length > 0) {
      const batch = waiting.splice(0, 500)
      for (const handle of handlers) await handle(batch)
    }
    isReporting = false
  }
  /** @type {Pick<Gateway, 'send' | 'subscribe'>} */
  const instant = {
    async send(session, to, content, { clientId }) {
      // Each text begins with an id of its own.
      if ('text' in content) times.mark(content.text.slice(0, content.text.indexOf(' ')))
      setTimeout(() => {
        waiting.push({ ...session, kind: 'message.status', networkId: clientId, status: 'sent', at: new Date() })
        void report()
      }, 1)
      return { ref: { networkId: clientId, chat: to, raw: null }, status: 'sent' }
    },
    subscribe(handler) {
      handlers.push(handler)
      return simulator.subscribe(handler)
    },
  }
  return Object.assign(emptyNetwork(simulator), instant)
}
