import { createHmac } from 'node:crypto'
import { startTimeLimit } from '@msgctl/network/timeout'
import type { Stripe } from 'stripe'
import type { PaySim } from './context.ts'
import { claimEvents, type Delivery, endDelivery, type StoredEvent } from './event-store.ts'
import { webhookFault } from './fault-store.ts'
import { dueCustomers, ownerOf, readCatalog } from './store.ts'
import { withCustomer } from './with-customer.ts'

/** How long the simulator waits after each failed delivery. */
const waitsSeconds = [5, 10, 20, 40]
const responseMs = 10_000
const batch = 50

/** Returns the header with which Stripe signs an event, by the clock of this machine. */
function signature(secret: string, body: string): string {
  const time = Math.floor(Date.now() / 1000)
  return `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`
}

/** Posts an event once; returns the status of the response, 0 for none. */
async function post(secret: string, url: string, event: StoredEvent): Promise<number> {
  const body = JSON.stringify(event.content)
  const limit = startTimeLimit(responseMs)
  try {
    const headers = { 'content-type': 'application/json', 'stripe-signature': signature(secret, body) }
    const response = await fetch(url, { method: 'POST', headers, body, signal: limit.signal })
    await response.arrayBuffer()
    return response.status
  } catch {
    return 0
  } finally {
    limit.end()
  }
}

/** Delivers an event to every endpoint now; returns the worst status of the responses, 0 for none. */
export async function deliverOnce(sim: PaySim, event: StoredEvent): Promise<number> {
  const { endpoint } = await readCatalog(sim.db)
  const targets = endpoint.filter((one) => one.enabled_events.includes(event.type))
  const statuses = await Promise.all(targets.map(({ url }) => post(sim.webhookSecret, url, event)))
  return statuses.find((status) => status < 200 || status > 299) ?? statuses[0] ?? 0
}

async function tripled(sim: PaySim, event: StoredEvent): Promise<boolean> {
  const { data } = event.content as Stripe.Event
  const object = data.object as { object?: string; id?: string; customer?: unknown }
  const customer = object.object === 'customer' ? object.id : object.customer
  const owner = typeof customer === 'string' ? await ownerOf(sim.db, customer) : null
  return owner !== null && (await webhookFault(sim.db, owner)) === 'tripled'
}

async function deliverDue(sim: PaySim): Promise<void> {
  for (;;) {
    const events = await claimEvents(sim.db, batch)
    for (const event of events) {
      const times = (await tripled(sim, event)) ? 3 : 1
      for (let time = 1; time <= times; time++) {
        const status = await deliverOnce(sim, event)
        const delivery: Delivery = { at: sim.clock.now().toISOString(), status }
        const worked = status >= 200 && status <= 299
        await endDelivery(sim.db, event.id, delivery, worked ? null : (waitsSeconds[event.attempts - 1] ?? null))
      }
    }
    if (events.length < batch) return
  }
}

/** Plays what is due for all customers, in its order, and delivers what happened. */
export async function tick(sim: PaySim): Promise<void> {
  for (;;) {
    const customers = await dueCustomers(sim.db, batch)
    for (const id of customers) await withCustomer(sim, id, () => undefined)
    if (customers.length < batch) break
  }
  await deliverDue(sim)
}
