import { type Db, transaction } from '#platform/db/db.ts'
import type { PaySim } from './context.ts'
import { addEvents } from './event-store.ts'
import { webhookFault } from './fault-store.ts'
import { pagesOf } from './own-endpoint.ts'
import { nextDue, playDue } from './rules/time.ts'
import { lockWorld, readCatalog, saveWorld, serviceSeconds, signalTick } from './store.ts'
import { missing, type Play, type World } from './world.ts'

/** Returns what the rules work with, for a customer, now. */
export async function playOf(sim: PaySim, trx: Db, world: World): Promise<Play> {
  const { price, product, endpoint } = await readCatalog(trx)
  const now = await serviceSeconds(trx)
  const pages = pagesOf({ endpoint }, sim.pages)
  return { world, now, prices: price, products: product, tax: sim.tax, pages, events: [] }
}

/** Stores a customer and the events about it. */
export async function storePlay(trx: Db, play: Play): Promise<void> {
  const { world, events } = play
  const due = nextDue(world)
  await saveWorld(trx, world, due)
  const owner = world.customer.metadata.organizationId
  const fault = owner === undefined ? null : await webhookFault(trx, owner)
  await addEvents(trx, world.customer.id, events, fault === 'held' || fault === 'dropped' ? fault : 'deliver')
  if (events.length > 0) signalTick(trx)
}

/**
 * Runs `fn` on a customer, after what is due was played, and stores what changed. Throws `resource_missing` when there
 * is no such customer; nothing is stored when `fn` throws.
 */
export async function withCustomer<T>(
  sim: PaySim,
  customerId: string,
  fn: (play: Play, trx: Db) => T | Promise<T>,
): Promise<T> {
  return transaction(sim.db, async (trx) => {
    const world = await lockWorld(trx, customerId)
    if (!world) throw missing('customer', customerId)
    const play = await playOf(sim, trx, world)
    const before = JSON.stringify(world)
    playDue(play)
    const result = await fn(play, trx)
    if (JSON.stringify(world) !== before) await storePlay(trx, play)
    return result
  })
}
