import { verify } from '@msgctl/webhook-verifier'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { attempted, deliveryBench } from '#testing/features/deliveries.ts'
import { idOf, startReceiver } from '#testing/features/receiver.ts'
import { concurrencyLimiter } from './concurrency-limiter.ts'
import { claimDeliveries, writeOutcomes } from './delivery-store.ts'
import { maxAttempts, toOutcome } from './outcome.ts'

const { services, start, subscriber, appendSamples, stored, settled, later } = await deliveryBench()
const { db, clock } = services

describe('retries', () => {
  /** Seconds after which no attempt can have come yet, and then until it must have: waits vary by a tenth. */
  const steps = [
    [4, 2],
    [8, 4],
    [17, 6],
    [35, 10],
  ] as const

  it('are four, after about 5, 10, 20 and 40 s, and then the event is dropped', async () => {
    const receiver = await startReceiver(() => 503)
    const { organizationId } = await subscriber(receiver.url)
    start()
    await appendSamples(organizationId)
    await settled(organizationId, attempted(1))
    for (const [at, [tooEarly, rest]] of steps.entries()) {
      await later(tooEarly)
      expect((await stored(organizationId))[0]).toMatchObject({ attempts: at + 1 })
      await later(rest)
      await settled(organizationId, attempted(at + 2))
    }
    await later(3600)
    const row = await settled(organizationId, ({ status }) => status === 'dropped')
    expect(row).toMatchObject({ attempts: maxAttempts, lastStatus: 503 })
    expect(row.lastError).toBe('The receiver responded with 503 instead of a 2xx status.')
    expect(row.attemptLog.map(({ status }) => status)).toEqual([503, 503, 503, 503, 503])
    expect(receiver.received).toHaveLength(maxAttempts)
  })

  it('keep the delivery id and the body, and are signed again', async () => {
    const receiver = await startReceiver((_request, number) => (number === 1 ? 500 : 204))
    const { organizationId, secret } = await subscriber(receiver.url)
    start()
    await appendSamples(organizationId)
    await settled(organizationId, attempted(1))
    const machineTime = Date.now() + 100_000
    vi.spyOn(Date, 'now').mockReturnValue(machineTime)
    onTestFinished(() => void vi.restoreAllMocks())
    await later(6)
    await settled(organizationId, ({ status }) => status === 'delivered')
    vi.restoreAllMocks()
    expect(new Set(receiver.received.map(idOf)).size).toBe(1)
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1)
    const times = receiver.received.map(({ headers }) =>
      Number(/t=(\d+)/.exec(`${headers['x-service-signature']}`)?.[1]),
    )
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(100)
    for (const { body, headers } of receiver.received) await verify(body, headers, secret)
  })

  it('follow a redirect, which itself is not followed', async () => {
    const target = await startReceiver()
    const receiver = await startReceiver(() => ({ status: 307, headers: { location: target.url } }))
    const { organizationId } = await subscriber(receiver.url)
    start()
    await appendSamples(organizationId)
    const row = await settled(organizationId, attempted(1))
    expect(row).toMatchObject({ status: 'pending', lastStatus: 307 })
    expect(row.lastError).toBe('The receiver responded with a redirect (307), which is not followed.')
    expect(target.received).toEqual([])
  })

  it('follow a receiver that does not answer before the deadline', async () => {
    const receiver = await startReceiver(() => 'silence')
    const { organizationId } = await subscriber(receiver.url)
    start({ deadlineMs: 30 })
    await appendSamples(organizationId)
    const row = await settled(organizationId, attempted(1))
    expect(row).toMatchObject({ status: 'pending', lastStatus: null })
    expect(row.lastError).toContain('did not respond within')
  })

  it('come again when the process with the claim was killed, once its lease is over', async () => {
    const receiver = await startReceiver()
    const { organizationId } = await subscriber(receiver.url)
    await appendSamples(organizationId)
    const [offer = expect.fail()] = concurrencyLimiter({ fast: 10, slow: 1, perEndpoint: 1 }).claimQuotas()
    expect(await claimDeliveries(db, offer, crypto.randomUUID())).toHaveLength(1)
    start()
    await later(29)
    expect(await claimDeliveries(db, offer, crypto.randomUUID())).toEqual([])
    expect(receiver.received).toEqual([])
    await later(2)
    expect(await settled(organizationId, ({ status }) => status === 'delivered')).toMatchObject({ attempts: 1 })
  })

  it('leave the outcome to the process that took over an expired lease', async () => {
    const { organizationId } = await subscriber('http://127.0.0.1:9999/')
    await appendSamples(organizationId)
    const [offer = expect.fail()] = concurrencyLimiter({ fast: 10, slow: 1, perEndpoint: 1 }).claimQuotas()
    const [first = expect.fail()] = await claimDeliveries(db, offer, crypto.randomUUID())
    await clock.advance(31)
    const [second = expect.fail()] = await claimDeliveries(db, offer, crypto.randomUUID())
    const result = { at: clock.now(), durationMs: 1, status: 200 }
    await writeOutcomes(db, [toOutcome(first, result, 0.5)])
    expect(await stored(organizationId)).toMatchObject([{ status: 'pending', leaseToken: second.leaseToken }])
    await writeOutcomes(db, [toOutcome(second, result, 0.5)])
    expect(await stored(organizationId)).toMatchObject([{ status: 'delivered', leaseToken: null }])
  })
})
