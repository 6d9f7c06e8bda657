import { subscribedEvents } from '#billing/payments/subscribed-events.ts'
import type { Db } from '#platform/db/db.ts'
import { newEndpoint } from './objects/catalog.ts'
import { type Catalog, saveCatalog } from './store.ts'

const ownEndpoint = 'we_service'

/** Notes where this service listens: its events go there, and its pages are there. */
export async function announceService(
  { db, webhookSecret }: { db: Db; webhookSecret: string },
  address: string,
): Promise<void> {
  const endpoint = {
    url: `${address}/api/v1/payments/webhook`,
    events: [...subscribedEvents],
    secret: webhookSecret,
  }
  await saveCatalog(db, 'endpoint', newEndpoint({ id: ownEndpoint, now: 0 }, endpoint))
}

/** Returns where the pages are, without a slash at the end. */
export function pagesOf({ endpoint }: Pick<Catalog, 'endpoint'>, otherwise: string): string {
  const own = endpoint.find(({ id }) => id === ownEndpoint)
  return own === undefined ? otherwise : `${new URL(own.url).origin}/simulated-payments`
}
