// Our own deliveries as a contestant: stores them, and delivers them when their time has come.
import { linkedNumbers, nthOf } from '../support/harness.mjs'

/**
 * @import { EventData } from '@msgctl/contract'
 * @import { NewEvent } from '@msgctl/server/events/append'
 * @import { Harness } from '../support/harness.mjs'
 */

export const env = { SIM_SPEED: '0', SIM_AUTOLINK: '1', ALLOW_PRIVATE_TARGETS: '127.0.0.1/32' }

const [{ setWebhook }, { operator }, { appendEvents }, { transaction }] = await Promise.all([
  import('@msgctl/server/events/webhook/configuration/configure'),
  import('@msgctl/server/api/activity/log'),
  import('@msgctl/server/events/append'),
  import('@msgctl/server/platform/db/db'),
])

/** Events of one transaction. */
const stored = 5000

/**
 * Makes an organization with a webhook at `url`, and returns its id.
 * @param {Harness} harness
 * @param {string} url
 */
export async function subscriber(harness, url) {
  const { organizationId } = await linkedNumbers(harness, 0)
  await setWebhook(harness.services, { organizationId, actor: operator }, url)
  return organizationId
}

/**
 * The data of an event as a message has it.
 * @param {number} n
 * @returns {EventData<'message.delivered'>}
 */
export function eventData(n) {
  return {
    messageId: crypto.randomUUID(),
    recipient: `1202556${String(n % 10_000).padStart(4, '0')}`,
    type: 'alert',
    containerId: crypto.randomUUID(),
    numberPhone: '12025560000',
    timestamp: new Date().toISOString(),
    status: 'delivered',
    gatewayMessageId: crypto.randomUUID().replaceAll('-', ''),
  }
}

/**
 * Stores deliveries of these organizations, then makes them due and returns how many a second are delivered. They are
 * stored an hour before their time, and the service's clock is moved there: to write them once more would be measured
 * too. `begin` is called just before.
 * @param {Harness} harness
 * @param {string[]} organizationIds
 * @param {number} deliveries
 * @param {{ begin?: () => Promise<void> }} [around]
 */
export async function deliverOurs({ services, db }, organizationIds, deliveries, { begin = async () => {} } = {}) {
  for (let from = 0; from < deliveries; from += stored) {
    /** @type {NewEvent[]} */
    const events = Array.from({ length: stored }, (_, n) => ({
      organizationId: nthOf(organizationIds, from + n),
      event: 'message.delivered',
      data: eventData(from + n),
    }))
    await transaction(db, async (trx) => {
      await appendEvents(trx, events)
      await trx.raw(
        `update webhook_deliveries set next_attempt_at = service_now() + interval '1 h'
          where status = 'pending' and next_attempt_at <= service_now()`,
      )
    })
  }
  await db.raw('vacuum analyze webhook_deliveries, events')
  await begin()
  const began = performance.now()
  await services.clock.advance(3600)
  services.wake.signal('deliveries')
  for (;;) {
    // In the order of the index of those that wait: without it the whole table would be read, fifty times a second.
    const { rows } = await db.raw(
      `select 1 from webhook_deliveries where status = 'pending' order by organization_id limit 1`,
    )
    if (rows.length === 0) return deliveries / ((performance.now() - began) / 1000)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
