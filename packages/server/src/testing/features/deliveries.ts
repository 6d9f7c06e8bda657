import { afterEach, expect } from 'vitest'
import { operator } from '#api/activity/log.ts'
import { type Change, setWebhook } from '#events/webhook/configuration/configure.ts'
import { type Deliveries, type DeliveryBounds, startDeliveries } from '#events/webhook/delivery/deliver.ts'
import { rows } from '#platform/db/db.ts'
import type { Services } from '#services.ts'
import { testServices } from '#testing/services.ts'
import { append, needsScan } from './events.ts'
import { makeTenant } from './http-edge.ts'

/** An organization with a webhook; `change` is for what the test changes about it. */
export interface Subscriber {
  readonly organizationId: string
  readonly secret: string
  readonly change: Change
}

/** A delivery as it is stored. */
export interface StoredDelivery {
  readonly id: string
  readonly status: string
  readonly attempts: number
  readonly nextAttemptAt: Date
  readonly lastStatus: number | null
  readonly lastError: string | null
  readonly attemptLog: { status: number | null; error: string | null; durationMs: number; at: string }[]
  readonly finishedAt: Date | null
  readonly leaseToken: string | null
}

/**
 * What tests of deliveries work with, over a database of their file's own. After each test its delivery loops are
 * stopped and what they left is forgotten.
 */
export async function deliveryBench() {
  const services = await testServices({ env: { SERVICE_NAME: 'Acme' } })
  const { db, clock, wake } = services
  const running: Deliveries[] = []
  afterEach(async () => {
    await Promise.all(running.splice(0).map((deliveries) => deliveries.stop()))
    await rows(db, 'delete from webhook_deliveries')
  })

  async function stored(organizationId: string): Promise<StoredDelivery[]> {
    return rows<StoredDelivery>(
      db,
      'select * from webhook_deliveries where organization_id = :organizationId order by created_at, id',
      { organizationId },
    )
  }

  return {
    services,
    stored,

    /** Starts a delivery loop, of another process when `own` are its services. */
    start(bounds?: DeliveryBounds, own: Services = services): void {
      running.push(startDeliveries(own, bounds))
    },

    async subscriber(url: string, own: Services = services): Promise<Subscriber> {
      const { organizationId } = await makeTenant(db, ['developer'])
      const change = { organizationId, actor: operator }
      const { signingSecret } = await setWebhook(own, change, url)
      return { organizationId, change, secret: signingSecret ?? 'none' }
    },

    /** Appends `count` events in one transaction. */
    async appendSamples(organizationId: string, count = 1): Promise<void> {
      await append(services, ...Array.from({ length: count }, () => needsScan(organizationId)))
    },

    /** The first delivery once `is` holds for it: an outcome is stored a moment after the receiver's answer. */
    async settled(organizationId: string, is: (row: StoredDelivery) => boolean): Promise<StoredDelivery> {
      let row: StoredDelivery | undefined
      await expect
        .poll(
          async () => {
            row = (await stored(organizationId))[0]
            return row
          },
          { interval: 5 },
        )
        .toSatisfy((found?: StoredDelivery) => found !== undefined && is(found))
      return row ?? expect.fail('there is no delivery')
    },

    /** Moves the service's clock. */
    async later(seconds: number): Promise<void> {
      await clock.advance(seconds)
      wake.signal('deliveries')
    },
  }
}

/** Holds for a delivery with this many attempts, of which none is under way. */
export function attempted(attempts: number) {
  return (row: StoredDelivery): boolean => row.attempts === attempts && row.leaseToken === null
}
