import { webhookBody, webhookHeaders } from '@msgctl/contract'
import { verify } from '@msgctl/webhook-verifier'
import { v7 as newId } from 'uuid'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { rows, transaction } from '../db/db.ts'
import { appendEvents } from '../events/append.ts'
import { requestReplay } from '../events/replay.ts'
import { makeTenant } from '../http/test-edge.ts'
import { newSecretsKeys, openSecrets } from '../secrets.ts'
import type { Services } from '../services.ts'
import { testServices } from '../test/services.ts'
import { regenerateSecret, removeWebhook, setWebhook } from './configure.ts'
import { type Deliveries, type DeliveryBounds, startDeliveries } from './deliver.ts'
import { claimDeliveries, writeOutcomes } from './delivery-store.ts'
import { outcomeOf } from './outcome.ts'
import { maxAttempts } from './retry.ts'
import { deliverySlots } from './slots.ts'
import { type Received, startReceiver } from './test-receiver.ts'

const services = await testServices({ env: { SERVICE_NAME: 'Acme' } })
const { db, clock, wake } = services
const actor = { kind: 'operator', id: null } as const

let running: Deliveries[] = []
afterEach(async () => {
  await Promise.all(running.map((deliveries) => deliveries.stop()))
  running = []
  await rows(db, 'delete from webhook_deliveries')
})

function start(bounds?: DeliveryBounds, own: Services = services): Deliveries {
  const deliveries = startDeliveries(own, bounds)
  running.push(deliveries)
  return deliveries
}

interface Subscriber {
  readonly organizationId: string
  readonly secret: string
}

async function subscriber(url: string, own: Services = services): Promise<Subscriber> {
  const { organizationId } = await makeTenant(db, ['developer'])
  const { signingSecret } = await setWebhook(own, { organizationId, actor }, url)
  return { organizationId, secret: signingSecret ?? 'none' }
}

async function happen(organizationId: string, count = 1): Promise<void> {
  const number = { containerId: newId(), numberPhone: '12025550199' }
  const events = Array.from({ length: count }, () => ({
    organizationId,
    event: 'session.needs_scan' as const,
    data: { status: 'SCAN_QR_CODE' as const, ...number, session: 'one' },
  }))
  await transaction(db, (trx) => appendEvents(trx, events))
  wake.signal('deliveries')
}

interface Stored {
  readonly status: string
  readonly attempts: number
  readonly last_status: number | null
  readonly last_error: string | null
  readonly attempt_log: { status: number | null; error: string | null; durationMs: number; at: string }[]
  readonly finished_at: Date | null
  readonly lease_token: string | null
}

async function stored(organizationId: string): Promise<Stored[]> {
  return rows<Stored>(
    db,
    'select * from webhook_deliveries where organization_id = :organizationId order by created_at, id',
    { organizationId },
  )
}

/** The first delivery once its stored row satisfies `is`: an outcome is written a moment after the receiver's answer. */
async function settled(organizationId: string, is: (row: Stored) => boolean): Promise<Stored> {
  return expect
    .poll(async () => (await stored(organizationId))[0], { interval: 5, timeout: 5000 })
    .toSatisfy((row?: Stored) => row !== undefined && is(row))
    .then(async () => (await stored(organizationId))[0] as Stored)
}

const attempted = (attempts: number) => (row: Stored) => row.attempts === attempts && row.lease_token === null

async function later(seconds: number): Promise<void> {
  await clock.advance(seconds)
  wake.signal('deliveries')
}

function idOf({ headers }: Received): unknown {
  return headers['x-service-delivery']
}

describe('one delivery', () => {
  it('carries exactly the headers and the body of the specification', async () => {
    const receiver = await startReceiver()
    const { organizationId, secret } = await subscriber(receiver.url)
    start()
    await happen(organizationId)
    await receiver.arrived(1)
    const [{ rawHeaders, headers, body } = expect.fail()] = receiver.received
    const named = rawHeaders.filter((_, at) => at % 2 === 0)
    for (const name of Object.keys(webhookHeaders('session.needs_scan').shape).filter((name) => !/Replay/.test(name)))
      expect(named).toContain(name)
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Acme/1.0',
      'x-service-event': 'session.needs_scan',
    })
    expect(headers).not.toHaveProperty('x-service-replay')
    expect(Object.keys(JSON.parse(body)).sort()).toEqual(['data', 'event', 'timestamp'])
    expect(webhookBody('session.needs_scan').parse(JSON.parse(body))).toMatchObject({
      timestamp: clock.now().toISOString(),
    })
    const verified = await verify(body, headers, secret)
    expect(verified).toMatchObject({ event: 'session.needs_scan', deliveryId: headers['x-service-delivery'] })
    expect(await settled(organizationId, (row) => row.status === 'delivered')).toMatchObject({
      attempts: 1,
      last_status: 200,
      last_error: null,
      finished_at: clock.now(),
      attempt_log: [{ status: 200, error: null, at: clock.now().toISOString() }],
    })
  })

  it('is refused by the verifier when one byte of the body was changed', async () => {
    const receiver = await startReceiver()
    const { organizationId, secret } = await subscriber(receiver.url)
    start()
    await happen(organizationId)
    await receiver.arrived(1)
    const [{ headers, body } = expect.fail()] = receiver.received
    const changed = body.replace('SCAN_QR_CODE', 'SCAN_QR_CODF')
    await expect(verify(changed, headers, secret)).rejects.toMatchObject({ reason: 'no_matching_signature' })
  })

  it('is signed with the time of the machine, however far the service clock was moved', async () => {
    const receiver = await startReceiver()
    const { organizationId, secret } = await subscriber(receiver.url)
    await clock.advance(86_400)
    start()
    await happen(organizationId)
    await receiver.arrived(1)
    const [{ headers, body } = expect.fail()] = receiver.received
    await expect(verify(body, headers, secret)).resolves.toBeDefined()
  })

  it('is unsigned without encryption on the server', async () => {
    const unsealed = { ...services, secrets: openSecrets(undefined) }
    const receiver = await startReceiver()
    const { organizationId } = await subscriber(receiver.url, unsealed)
    start({}, unsealed)
    await happen(organizationId)
    await receiver.arrived(1)
    expect(receiver.received[0]?.headers).not.toHaveProperty('x-service-signature')
  })

  it('fails, and never goes unsigned, when the server lacks the key of the secret', async () => {
    const receiver = await startReceiver()
    const { organizationId } = await subscriber(receiver.url)
    const other = openSecrets(newSecretsKeys().replace('1:', '2:'))
    start({}, { ...services, secrets: other })
    await happen(organizationId)
    const row = await settled(organizationId, attempted(1))
    expect(row).toMatchObject({ status: 'pending', last_error: 'The signing secret could not be read on the server.' })
    expect(receiver.received).toEqual([])
  })

  it('goes to the address as it is at the attempt', async () => {
    const [first, second] = [await startReceiver(() => 500), await startReceiver()]
    const { organizationId } = await subscriber(first.url)
    start()
    await happen(organizationId)
    await settled(organizationId, attempted(1))
    await setWebhook(services, { organizationId, actor }, second.url)
    await later(6)
    await second.arrived(1)
    expect(first.received).toHaveLength(1)
    expect(second.received.map(idOf)).toEqual(first.received.map(idOf))
  })

  it('is dropped without an attempt once the address was removed', async () => {
    const receiver = await startReceiver(() => 500)
    const { organizationId } = await subscriber(receiver.url)
    start()
    await happen(organizationId)
    await settled(organizationId, attempted(1))
    await removeWebhook(services, { organizationId, actor })
    await later(6)
    const row = await settled(organizationId, ({ status }) => status === 'dropped')
    expect(row).toMatchObject({ attempts: 1, finished_at: clock.now() })
    expect(row.last_error).toContain('removed')
    expect(receiver.received).toHaveLength(1)
  })

  it('does not reach a private address that was saved while it was allowed', async () => {
    const receiver = await startReceiver()
    const { organizationId } = await subscriber(receiver.url)
    start({}, { ...services, config: { ...services.config, allowPrivateTargets: [] } })
    await happen(organizationId)
    const row = await settled(organizationId, attempted(1))
    expect(row).toMatchObject({ status: 'pending', last_status: null })
    expect(row.last_error).toContain('could not be reached at a public address')
    expect(receiver.received).toEqual([])
  })
})

describe('retries', () => {
  const steps = [6, 12, 23, 45]

  it('are four, after about 5, 10, 20 and 40 s, and then the event is dropped', async () => {
    const receiver = await startReceiver(() => 503)
    const { organizationId } = await subscriber(receiver.url)
    start()
    await happen(organizationId)
    for (const [at, seconds] of [0, ...steps].entries()) {
      if (seconds > 0) {
        await later(seconds - 3)
        expect((await stored(organizationId))[0]).toMatchObject({ attempts: at })
        await later(3)
      }
      await settled(organizationId, attempted(at + 1))
    }
    await later(3600)
    const row = await settled(organizationId, ({ status }) => status === 'dropped')
    expect(row).toMatchObject({ attempts: maxAttempts, last_status: 503 })
    expect(row.last_error).toBe('The receiver answered 503 instead of a 2xx status.')
    expect(row.attempt_log.map(({ status }) => status)).toEqual([503, 503, 503, 503, 503])
    expect(receiver.received).toHaveLength(maxAttempts)
  })

  it('keep the delivery id and the body, and are signed anew', async () => {
    const receiver = await startReceiver((_request, number) => (number === 1 ? 500 : 204))
    const { organizationId, secret } = await subscriber(receiver.url)
    start()
    await happen(organizationId)
    await settled(organizationId, attempted(1))
    const machineTime = Date.now() + 100_000
    vi.spyOn(Date, 'now').mockReturnValue(machineTime)
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
    await happen(organizationId)
    const row = await settled(organizationId, attempted(1))
    expect(row).toMatchObject({ status: 'pending', last_status: 307 })
    expect(row.last_error).toBe('The receiver answered with a redirect (307), which is not followed.')
    expect(target.received).toEqual([])
  })

  it('follow a receiver that does not answer before the deadline', async () => {
    const receiver = await startReceiver(() => 'silence')
    const { organizationId } = await subscriber(receiver.url)
    start({ deadlineMs: 30 })
    await happen(organizationId)
    const row = await settled(organizationId, attempted(1))
    expect(row).toMatchObject({ status: 'pending', last_status: null })
    expect(row.last_error).toContain('did not answer within')
  })

  it('come again when the process with the claim was killed, once its lease is over', async () => {
    const receiver = await startReceiver()
    const { organizationId } = await subscriber(receiver.url)
    await happen(organizationId)
    const [offer = expect.fail()] = deliverySlots({ brisk: 10, slow: 1, perOrganization: 1 }).offers()
    expect(await claimDeliveries(db, offer, [])).toHaveLength(1)
    start()
    await later(29)
    expect(await claimDeliveries(db, offer, [])).toEqual([])
    expect(receiver.received).toEqual([])
    await later(2)
    expect(await settled(organizationId, ({ status }) => status === 'delivered')).toMatchObject({ attempts: 1 })
  })

  it('leave the outcome to the process that took over an expired lease', async () => {
    const { organizationId } = await subscriber('http://127.0.0.1:9999/')
    await happen(organizationId)
    const [offer = expect.fail()] = deliverySlots({ brisk: 10, slow: 1, perOrganization: 1 }).offers()
    const [first = expect.fail()] = await claimDeliveries(db, offer, [])
    await clock.advance(31)
    const [second = expect.fail()] = await claimDeliveries(db, offer, [])
    const result = { at: clock.now(), durationMs: 1, status: 200 }
    await writeOutcomes(db, [outcomeOf(first, result, 0.5)])
    expect(await stored(organizationId)).toMatchObject([{ status: 'pending', lease_token: second.leaseToken }])
    await writeOutcomes(db, [outcomeOf(second, result, 0.5)])
    expect(await stored(organizationId)).toMatchObject([{ status: 'delivered', lease_token: null }])
  })
})

describe('signing secrets', () => {
  async function receivedAfter(overlapSeconds: number, waitSeconds: number) {
    const receiver = await startReceiver()
    const { organizationId, secret: old } = await subscriber(receiver.url)
    const fresh = await regenerateSecret(services, { organizationId, actor }, overlapSeconds)
    await clock.advance(waitSeconds)
    start()
    await happen(organizationId)
    await receiver.arrived(1)
    const [{ body, headers } = expect.fail()] = receiver.received
    const verifies = (secret: string) =>
      verify(body, headers, secret).then(
        () => true,
        () => false,
      )
    return { old: await verifies(old), fresh: await verifies(fresh), header: String(headers['x-service-signature']) }
  }

  it('are replaced at once', async () => {
    expect(await receivedAfter(0, 0)).toMatchObject({ old: false, fresh: true, header: /^t=\d+,v1=[0-9a-f]{64}$/ })
  })

  it('overlap as long as was asked for, with one v1 each, the new one first', async () => {
    const during = await receivedAfter(60, 59)
    expect(during).toMatchObject({ old: true, fresh: true })
    expect(during.header).toMatch(/^t=\d+,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/)
    expect(await receivedAfter(60, 61)).toMatchObject({ old: false, fresh: true })
  })
})

describe('a replay', () => {
  it('is a delivery of its own with the same id and X-Service-Replay, and leaves the first one as it was', async () => {
    const receiver = await startReceiver()
    const { organizationId } = await subscriber(receiver.url)
    start()
    await happen(organizationId)
    const first = await settled(organizationId, ({ status }) => status === 'delivered')
    await clock.advance(60)
    await requestReplay(db, organizationId, idOf(receiver.received[0] ?? expect.fail()) as string)
    wake.signal('deliveries')
    await receiver.arrived(2)
    const [original, replayed] = receiver.received
    expect(replayed?.headers['x-service-replay']).toBe('true')
    expect(replayed?.body).toBe(original?.body)
    expect(replayed && idOf(replayed)).toBe(original && idOf(original))
    expect((await stored(organizationId))[0]).toEqual(first)
  })
})

describe('fairness', () => {
  it('delivers for others while one receiver is dead, which holds two attempts at most', async () => {
    const dead = await startReceiver(() => 'silence')
    const alive = await startReceiver()
    const [blocked, other] = [await subscriber(dead.url), await subscriber(alive.url)]
    await happen(blocked.organizationId, 1000)
    start({ deadlineMs: 2000 })
    await dead.arrived(2)
    await happen(other.organizationId, 50)
    await alive.arrived(50)
    expect(dead.received).toHaveLength(2)
  })

  it('delivers for others while more receivers are dead than there are slots', async () => {
    const dead = await startReceiver(() => 'silence')
    const alive = await startReceiver()
    for (let blocked = 0; blocked < 6; blocked++) {
      const { organizationId } = await subscriber(dead.url)
      await happen(organizationId, 20)
    }
    const other = await subscriber(alive.url)
    start({ deadlineMs: 100, slots: { brisk: 4, slow: 2, perOrganization: 4 } })
    await dead.arrived(12)
    await happen(other.organizationId, 20)
    await alive.arrived(20)
    // The six cannot have come far: two at a time, a tenth of a second each.
    expect(dead.received.length).toBeLessThan(60)
  })

  it('lets 10,000 events of one organization delay the event of another by less than a second', async () => {
    const crowd = await startReceiver()
    const alone = await startReceiver()
    const [large, small] = [await subscriber(crowd.url), await subscriber(alone.url)]
    await happen(large.organizationId, 10_000)
    start()
    await crowd.arrived(50)
    const before = crowd.received.length
    await happen(small.organizationId)
    await alone.arrived(1)
    // Eight at a time and a claim each 10 ms: a second is 800 deliveries of the crowd, on a slow machine fewer.
    expect(crowd.received.length - before).toBeLessThan(800)
    expect(crowd.received.length).toBeLessThan(10_000)
  })

  it('has at most eight attempts of one organization under way, and begins with two', async () => {
    const { organizationId } = await subscriber('http://127.0.0.1:9999/')
    await happen(organizationId, 20)
    const slots = deliverySlots({ brisk: 100, slow: 1, perOrganization: 8 })
    const claim = async () => {
      const claimed = await claimDeliveries(db, slots.offers()[0] ?? expect.fail(), [])
      return claimed.map((delivery) => slots.take(delivery.organizationId))
    }
    const first = await claim()
    for (const giveBack of first) giveBack(10)
    const second = await claim()
    expect([first.length, second.length, (await claim()).length]).toEqual([2, 8, 0])
  })

  it('shares few slots among the organizations that wait', async () => {
    const waiting = await Promise.all([0, 1, 2].map(() => subscriber('http://127.0.0.1:9999/')))
    for (const { organizationId } of waiting) await happen(organizationId, 5)
    const [offer = expect.fail()] = deliverySlots({ brisk: 3, slow: 1, perOrganization: 8 }).offers()
    const claimed = await claimDeliveries(db, offer, [])
    expect(new Set(claimed.map(({ organizationId }) => organizationId)).size).toBe(3)
  })
})
