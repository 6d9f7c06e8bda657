import { describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { deliveryBench } from '#testing/features/deliveries.ts'
import { startReceiver } from '#testing/features/receiver.ts'
import { concurrencyLimiter } from './concurrency-limiter.ts'
import { claimDeliveries } from './delivery-store.ts'

const { services, start, subscriber, appendSamples, stored } = await deliveryBench()
const { db } = services

describe('fairness', () => {
  it('delivers for others while one receiver is dead, which holds two attempts at most', async () => {
    const dead = await startReceiver(() => 'silence')
    const alive = await startReceiver()
    const [blocked, other] = [await subscriber(dead.url), await subscriber(alive.url)]
    await appendSamples(blocked.organizationId, 1000)
    const deadlineMs = 2000
    start({ deadlineMs })
    await dead.arrived(2)
    const began = performance.now()
    await appendSamples(other.organizationId, 50)
    await alive.arrived(50)
    // On a slow machine the two attempts may time out first; then each deadline allows one more.
    const over = Math.floor((performance.now() - began) / deadlineMs)
    expect(dead.received.length).toBeLessThanOrEqual(2 + over)
    dead.hangUp()
  })

  it('delivers for others while more receivers are dead than there are slots', async () => {
    const dead = await startReceiver(() => 'silence')
    const alive = await startReceiver()
    for (let blocked = 0; blocked < 6; blocked++) {
      const { organizationId } = await subscriber(dead.url)
      await appendSamples(organizationId, 20)
    }
    const other = await subscriber(alive.url)
    const deadlineMs = 100
    start({ deadlineMs, limits: { fast: 4, slow: 2, perEndpoint: 4 } })
    await dead.arrived(12)
    const began = performance.now()
    await appendSamples(other.organizationId, 20)
    await alive.arrived(20)
    // The six cannot have come far: at most six at a time, until their deadline.
    const over = Math.ceil((performance.now() - began) / deadlineMs)
    expect(dead.received.length).toBeLessThanOrEqual(12 + 6 * over)
  })

  it('lets 10,000 events of one organization delay the event of another by less than a second', async () => {
    const crowd = await startReceiver()
    const alone = await startReceiver()
    const [large, small] = [await subscriber(crowd.url), await subscriber(alone.url)]
    await appendSamples(large.organizationId, 10_000)
    start()
    await crowd.arrived(50)
    const before = crowd.received.length
    await appendSamples(small.organizationId)
    await alone.arrived(1)
    // At most 256 are claimed ahead, and the next claim, a few hundredths of a second later, is shared.
    expect(crowd.received.length - before).toBeLessThan(1600)
    expect(crowd.received.length).toBeLessThan(10_000)
  })

  it('has at most eight attempts of one endpoint under way, and begins with two', async () => {
    const { organizationId } = await subscriber('http://127.0.0.1:9999/')
    await appendSamples(organizationId, 20)
    const slots = concurrencyLimiter({ fast: 100, slow: 1, perEndpoint: 8 })
    const claim = async () => {
      const claimed = await claimDeliveries(db, slots.claimQuotas()[0] ?? expect.fail(), crypto.randomUUID())
      return claimed.map((delivery) => slots.take(delivery.endpointId))
    }
    const first = await claim()
    for (const giveBack of first) giveBack(10)
    const second = await claim()
    expect([first.length, second.length, (await claim()).length]).toEqual([2, 8, 0])
  })

  it('gives back what it claimed ahead when the receiver falls silent, while others are delivered', async () => {
    const fading = await startReceiver((_request, number) => (number <= 40 ? 200 : 'silence'))
    const alive = await startReceiver()
    const [fades, other] = [await subscriber(fading.url), await subscriber(alive.url)]
    await appendSamples(fades.organizationId, 200)
    start({ deadlineMs: 500, limits: { fast: 100, slow: 2, perEndpoint: 4, prefetch: 8 } })
    await fading.arrived(41)
    await appendSamples(other.organizationId, 50)
    await alive.arrived(50)
    const claimed = () =>
      rows(db, 'select from webhook_deliveries where organization_id = :organizationId and lease_token is not null', {
        organizationId: fades.organizationId,
      })
    await expect.poll(async () => (await claimed()).length, { interval: 5 }).toBeLessThanOrEqual(1)
    const untried = await rows(
      db,
      `select 1 as untried from webhook_deliveries
        where organization_id = :organizationId and status = 'pending' and attempts = 0 and last_error is null`,
      { organizationId: fades.organizationId },
    )
    expect(untried.length).toBeGreaterThan(100)
  })

  it('gives back what waits for a silent receiver long before its attempts end', async () => {
    const fading = await startReceiver((_request, number) => (number <= 40 ? 200 : 'silence'))
    const { organizationId } = await subscriber(fading.url)
    await appendSamples(organizationId, 200)
    start({ deadlineMs: 10_000, silentMs: 50, limits: { fast: 100, slow: 2, perEndpoint: 4, prefetch: 8 } })
    await fading.arrived(44)
    const held = async () => (await stored(organizationId)).filter(({ leaseToken }) => leaseToken !== null)
    await expect.poll(async () => (await held()).length, { interval: 5, timeout: 8000 }).toBeLessThanOrEqual(4)
    expect(
      (await stored(organizationId)).filter(({ status, attempts }) => status === 'pending' && attempts > 0),
    ).toEqual([])
    fading.hangUp()
  })

  it('shares few slots among the organizations that wait', async () => {
    const waiting = await Promise.all([0, 1, 2].map(() => subscriber('http://127.0.0.1:9999/')))
    for (const { organizationId } of waiting) await appendSamples(organizationId, 5)
    const [offer = expect.fail()] = concurrencyLimiter({ fast: 3, slow: 1, perEndpoint: 8 }).claimQuotas()
    const claimed = await claimDeliveries(db, offer, crypto.randomUUID())
    expect(new Set(claimed.map(({ organizationId }) => organizationId)).size).toBe(3)
  })
})
