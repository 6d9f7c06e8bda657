import { newSecretsKeys, openSecrets } from '@msgctl/network/secrets'
import { verify } from '@msgctl/webhook-verifier'
import { afterAll, describe, expect, it } from 'vitest'
import { eventHandlers } from '#events/routes.ts'
import { localWake } from '#platform/db/wake.ts'
import { openMetrics } from '#platform/metrics/metrics.ts'
import type { Services } from '#services.ts'
import { makeTenant, startEdge, type Tenant } from '#testing/features/http-edge.ts'
import { startReceiver } from '#testing/features/receiver.ts'
import { startDeliveries } from './delivery/deliver.ts'
import { webhookHandlers } from './routes.ts'

const secrets = openSecrets(newSecretsKeys())
const wake = localWake()
const env = { ALLOW_PRIVATE_TARGETS: '127.0.0.1/32' }
const edge = await startEdge({ webhook: webhookHandlers, events: eventHandlers }, { env, services: { secrets, wake } })
const { db } = edge

const call = (tenant: Tenant, method: string, path: string, body?: unknown) =>
  edge.call(method, path, { key: tenant.key, body })
const set = (tenant: Tenant, webhookUrl: unknown) => call(tenant, 'PUT', '/me/webhook', { webhookUrl })

const url = 'https://example.com/hook?token=abc'

describe('POST /me/webhook/test, deliveries and replay', () => {
  // Only the worker's half is missing in the edge of a test.
  const { clock } = edge
  const log = { debug() {}, info() {}, warn() {}, error() {} }
  const services = { db, clock, wake, secrets, log, metrics: openMetrics() } as unknown as Services
  const deliveries = startDeliveries({
    ...services,
    config: { serviceName: 'Acme', allowPrivateTargets: ['127.0.0.1/32'] } as unknown as Services['config'],
  })
  afterAll(() => deliveries.stop())

  const list = (tenant: Tenant, query = '') => call(tenant, 'GET', `/me/webhook/deliveries${query}`)

  it('post a sample event, list how it went, and deliver it again', async () => {
    const receiver = await startReceiver((_request, number) => (number === 2 ? 410 : 200))
    const tenant = await makeTenant(db)
    const { signingSecret } = (await set(tenant, receiver.url)).body
    const sample = await call(tenant, 'POST', '/me/webhook/test', { event: 'commerce.order' })
    expect(sample.status).toBe(202)
    const { eventId } = sample.body
    await receiver.arrived(1)
    const [{ body, headers } = expect.fail()] = receiver.received
    expect(await verify(body, headers, signingSecret)).toMatchObject({
      event: 'commerce.order',
      deliveryId: eventId,
      sample: true,
    })
    await expect.poll(() => list(tenant, '?status=delivered'), { interval: 5 }).toMatchObject({ body: { total: 1 } })

    const replay = await call(tenant, 'POST', `/events/${eventId}/replay`)
    expect(replay).toMatchObject({ status: 202, body: { success: true, eventId } })
    await receiver.arrived(2)
    expect(receiver.received[1]?.headers['x-service-replay']).toBe('true')
    await expect
      .poll(() => list(tenant, '?status=pending'), { interval: 5 })
      .toMatchObject({ body: { deliveries: [{ attempts: 1, lastStatus: 410 }] } })
    expect((await list(tenant)).body).toMatchObject({
      total: 2,
      page: 1,
      limit: 50,
      deliveries: [
        {
          eventId,
          replay: true,
          sample: true,
          status: 'pending',
          nextAttemptAt: expect.any(String),
          deliveredAt: null,
        },
        {
          id: eventId,
          eventId,
          replay: false,
          sample: true,
          status: 'delivered',
          nextAttemptAt: null,
          lastError: null,
        },
      ],
    })
    expect((await list(tenant, '?page=2&limit=1')).body.deliveries).toMatchObject([{ id: eventId }])
  })

  it.each([
    [['developer'], 'message.delivered'],
    [['assistant'], 'bot.needs_review'],
  ])('take a kind that %j receives by default: %s', async (products, kind) => {
    const receiver = await startReceiver()
    const tenant = await makeTenant(db, products)
    await set(tenant, receiver.url)
    expect((await call(tenant, 'POST', '/me/webhook/test')).body.event).toBe(kind)
    await receiver.arrived(1)
    expect(receiver.received[0]?.headers['x-service-event']).toBe(kind)
  })

  it('refuse a sample of a kind that the products do not receive', async () => {
    const tenant = await makeTenant(db, ['assistant'])
    await set(tenant, url)
    expect(await call(tenant, 'POST', '/me/webhook/test', { event: 'commerce.order' })).toMatchObject({
      status: 403,
      body: { error: { code: 'PRODUCT_REQUIRED', details: { products: ['shop', 'developer'] } } },
    })
    expect((await list(tenant)).body.total).toBe(0)
  })

  it('keep samples out of the list of events, and mark their replays as samples too', async () => {
    const receiver = await startReceiver()
    const tenant = await makeTenant(db)
    await set(tenant, receiver.url)
    const { eventId } = (await call(tenant, 'POST', '/me/webhook/test')).body
    expect((await call(tenant, 'GET', '/events')).body).toMatchObject({ events: [], hasMore: false })
    await receiver.arrived(1)
    expect((await call(tenant, 'POST', `/events/${eventId}/replay`)).status).toBe(202)
    await receiver.arrived(2)
    expect(receiver.received[1]?.headers).toMatchObject({ 'x-service-replay': 'true', 'x-service-sample': 'true' })
  })

  it('answer FORBIDDEN_ACTION while no address is set', async () => {
    const tenant = await makeTenant(db)
    await set(tenant, url)
    const { eventId } = (await call(tenant, 'POST', '/me/webhook/test')).body
    await set(tenant, null)
    for (const path of ['/me/webhook/test', `/events/${eventId}/replay`]) {
      expect(await call(tenant, 'POST', path)).toMatchObject({
        status: 400,
        body: { error: { code: 'FORBIDDEN_ACTION', details: { reason: 'no_webhook_url' } } },
      })
    }
    expect((await list(tenant, '?status=pending')).body.total).toBeLessThanOrEqual(1)
  })

  it('answer NOT_FOUND for an event of another organization as for one that never was', async () => {
    const [owner, stranger] = [await makeTenant(db), await makeTenant(db)]
    await set(owner, url)
    await set(stranger, url)
    const { eventId } = (await call(owner, 'POST', '/me/webhook/test')).body
    const answers = await Promise.all(
      [eventId, '0195a3c4-6a00-7000-8000-000000000001'].map((id) => call(stranger, 'POST', `/events/${id}/replay`)),
    )
    expect(answers.map(({ status }) => status)).toEqual([404, 404])
    expect(answers[0]?.body.error.message).toBe(answers[1]?.body.error.message)
    expect((await list(stranger)).body.total).toBe(0)
  })

  it('plan one replay for a repeated Idempotency-Key', async () => {
    const tenant = await makeTenant(db)
    await set(tenant, url)
    const { eventId } = (await call(tenant, 'POST', '/me/webhook/test')).body
    const again = () =>
      edge.call('POST', `/events/${eventId}/replay`, { key: tenant.key, headers: { 'Idempotency-Key': 'once' } })
    expect([(await again()).status, (await again()).status]).toEqual([202, 202])
    expect((await list(tenant)).body.total).toBe(2)
  })
})
