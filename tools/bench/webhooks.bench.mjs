// How many webhooks a second are delivered, from due to stored, against a bare loop that posts the same bodies and does nothing else.
import { createRequire } from 'node:module'
import { linkedNumbers, load, withService } from './harness.mjs'
import { startProgram } from './programs.mjs'
import { measureRounds, ratios } from './report.mjs'

const server = new URL('../../packages/server/package.json', import.meta.url)
const { Agent, request } = createRequire(server)('undici')

const deliveries = 10_000
const bareConnections = 64
const env = { SIM_SPEED: '0', SIM_AUTOLINK: '1', ALLOW_PRIVATE_TARGETS: '127.0.0.1/32' }

const receiver = await startProgram(new URL('webhooks/receiver.mjs', import.meta.url), {})
try {
  await withService(env, async (harness) => {
    for (const organizations of [1, 50]) {
      const ids = []
      for (let n = 0; n < organizations; n += 1) ids.push(await subscriber(harness, `${receiver.address}/hook`))
      const found = await measureRounds({
        ours: () => deliverOurs(harness, ids),
        'a bare loop': () => postBare(`${receiver.address}/hook`),
      })
      const what = `webhooks delivered for ${organizations} organization(s)`
      ratios(what, found, { unit: 'a second', targets: { 'a bare loop': 0.5 } })
    }
  })
} finally {
  await receiver.stop()
}

async function subscriber(harness, url) {
  const [{ setWebhook }, { operator }] = await Promise.all(
    ['webhook/configuration/configure', 'activity/log'].map((name) => load(name)),
  )
  const { organizationId } = await linkedNumbers(harness, 0)
  await setWebhook(harness.services, { organizationId, actor: operator }, url)
  return organizationId
}

/** The data of an event as a message has it. */
function eventData(n) {
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

/** Stores the deliveries an hour before their time, then moves the service's clock there: to write them once more would be measured too. */
async function deliverOurs({ services, db }, organizationIds) {
  const [{ appendEvents }, { transaction }] = await Promise.all(['events/append', 'db/db'].map((name) => load(name)))
  for (let from = 0; from < deliveries; from += 500) {
    const events = Array.from({ length: 500 }, (_, n) => ({
      organizationId: organizationIds[(from + n) % organizationIds.length],
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

async function postBare(url) {
  const agent = new Agent({ connections: bareConnections })
  const bodies = Array.from({ length: deliveries }, (_, n) =>
    JSON.stringify({ event: 'message.delivered', data: eventData(n), timestamp: new Date().toISOString() }),
  )
  const began = performance.now()
  await Promise.all(
    Array.from({ length: bareConnections }, async () => {
      for (let body = bodies.pop(); body !== undefined; body = bodies.pop()) {
        const answer = await request(url, {
          method: 'POST',
          dispatcher: agent,
          headers: { 'content-type': 'application/json' },
          body,
        })
        await answer.body.dump()
      }
    }),
  )
  const took = performance.now() - began
  await agent.close()
  return deliveries / (took / 1000)
}
