import { signingSecretForm } from '@msgctl/contract'
import { newSecretsKeys, openSecrets } from '@msgctl/network/secrets'
import { verify } from '@msgctl/webhook-verifier'
import { afterAll, describe, expect, it } from 'vitest'
import { eventHandlers } from '#events/routes.ts'
import { localWake } from '#platform/db/wake.ts'
import { openMetrics } from '#platform/metrics/metrics.ts'
import type { Services } from '#services.ts'
import { append, needsScan, recovered } from '#testing/features/events.ts'
import { makeTenant, startEdge, type Tenant } from '#testing/features/http-edge.ts'
import { startReceiver } from '#testing/features/receiver.ts'
import { startDeliveries } from './delivery/deliver.ts'
import { webhookHandlers } from './routes.ts'

const secrets = openSecrets(newSecretsKeys())
const wake = localWake()
const env = { ALLOW_PRIVATE_TARGETS: '127.0.0.1/32' }
const edge = await startEdge({ webhook: webhookHandlers, events: eventHandlers }, { env, services: { secrets, wake } })
const { db, clock } = edge
const log = { debug() {}, info() {}, warn() {}, error() {} }
const services = { db, clock, wake, secrets, log, metrics: openMetrics() } as unknown as Services
const deliveries = startDeliveries({
  ...services,
  config: { serviceName: 'Acme', allowPrivateTargets: ['127.0.0.1/32'] } as unknown as Services['config'],
})
afterAll(() => deliveries.stop())

const base = '/me/webhook/endpoints'
const call = (tenant: Tenant, method: string, path: string, body?: unknown) =>
  edge.call(method, path, { key: tenant.key, body })
const url = 'https://example.com/hook'

/** Adds an endpoint and returns its id. */
async function add(tenant: Tenant, body: object): Promise<string> {
  const { status, body: added } = await call(tenant, 'POST', base, body)
  expect(status).toBe(201)
  return added.endpoint.id
}

async function appended(tenant: Tenant): Promise<void> {
  await append(services, recovered(tenant.organizationId), needsScan(tenant.organizationId))
  wake.signal('deliveries')
}

const listed = async (tenant: Tenant) => (await call(tenant, 'GET', '/me/webhook/deliveries')).body.deliveries

describe('the endpoints of an organization', () => {
  it('are the one of PUT /me/webhook and others, each with its own secret', async () => {
    const tenant = await makeTenant(db)
    expect((await call(tenant, 'GET', base)).body).toMatchObject({ endpoints: [] })
    const added = await call(tenant, 'POST', base, { url, kinds: ['message.failed'], label: 'Alarms' })
    expect(added).toMatchObject({
      status: 201,
      body: { endpoint: { main: false, url, kinds: ['message.failed'], label: 'Alarms' } },
    })
    expect(added.body.signingSecret).toMatch(signingSecretForm)
    expect(added.headers.get('cache-control')).toContain('no-store')
    const main = (await call(tenant, 'PUT', '/me/webhook', { webhookUrl: 'https://example.com/main' })).body
    expect(main.signingSecret).not.toBe(added.body.signingSecret)
    const { endpoints } = (await call(tenant, 'GET', base)).body
    expect(endpoints).toMatchObject([
      { main: true, url: 'https://example.com/main', kinds: null, label: null },
      { id: added.body.endpoint.id, main: false },
    ])
    expect(JSON.stringify(endpoints)).not.toContain('whsec_')
    const one = (await call(tenant, 'GET', `${base}/${added.body.endpoint.id}`)).body
    expect(one).toMatchObject({ endpoint: { label: 'Alarms' }, signingSecret: added.body.signingSecret })
    expect((await call(tenant, 'GET', '/me/webhook')).body.webhookUrl).toBe('https://example.com/main')
  })

  it('receive the kinds that they have chosen, signed with their own secret', async () => {
    const [all, some, none] = [await startReceiver(), await startReceiver(), await startReceiver()]
    const tenant = await makeTenant(db)
    await call(tenant, 'PUT', '/me/webhook', { webhookUrl: all.url })
    const { body } = await call(tenant, 'POST', base, { url: some.url, kinds: ['session.needs_scan'] })
    await add(tenant, { url: none.url, kinds: ['message.read'] })
    await appended(tenant)
    await all.arrived(2)
    await some.arrived(1)
    const [received = expect.fail()] = some.received
    expect(await verify(received.body, received.headers, body.signingSecret)).toMatchObject({
      event: 'session.needs_scan',
    })
    const twin = all.received.find(({ headers }) => headers['x-service-event'] === 'session.needs_scan')
    expect(received.headers['x-service-delivery']).toBe(twin?.headers['x-service-delivery'])
    await expect.poll(async () => (await listed(tenant)).length).toBe(3)
    expect(none.received).toEqual([])
  })

  it('do not wait for each other: a dead one leaves the others their events', async () => {
    const [dead, alive] = [await startReceiver(() => 'silence'), await startReceiver()]
    const tenant = await makeTenant(db)
    await call(tenant, 'PUT', '/me/webhook', { webhookUrl: dead.url })
    await add(tenant, { url: alive.url })
    for (let n = 0; n < 10; n += 1) await appended(tenant)
    await alive.arrived(20)
    expect(dead.received.length).toBeLessThanOrEqual(2)
    dead.hangUp()
  })

  it('can be changed, one field at a time, and posts of waiting events go to the new address', async () => {
    const [receiver, refusing] = [await startReceiver(), await startReceiver(() => 500)]
    const tenant = await makeTenant(db)
    const id = await add(tenant, { url: refusing.url, label: 'Old', kinds: ['session.needs_scan'] })
    const change = async (body: object) => (await call(tenant, 'PUT', `${base}/${id}`, body)).body.endpoint
    await appended(tenant)
    await expect.poll(() => listed(tenant)).toMatchObject([{ attempts: 1, endpointId: id }])
    expect(await change({ label: null })).toMatchObject({ label: null, kinds: ['session.needs_scan'] })
    expect(await change({ kinds: null })).toMatchObject({ kinds: null, url: refusing.url })
    expect(await change({ url: receiver.url })).toMatchObject({ url: receiver.url })
    await clock.advance(6)
    wake.signal('deliveries')
    await receiver.arrived(1)
    expect((await call(tenant, 'PUT', `${base}/${id}`, {})).body.error.code).toBe('VALIDATION_ERROR')
  })

  it('are removed with what waits for them; the main one keeps its secret', async () => {
    const refusing = await startReceiver(() => 500)
    const tenant = await makeTenant(db)
    const { signingSecret } = (await call(tenant, 'PUT', '/me/webhook', { webhookUrl: url })).body
    const id = await add(tenant, { url: refusing.url })
    const main = (await call(tenant, 'GET', base)).body.endpoints[0].id
    await call(tenant, 'POST', '/me/webhook/test', { endpointId: id })
    await expect.poll(() => listed(tenant)).toMatchObject([{ attempts: 1 }])
    for (const each of [id, main]) expect((await call(tenant, 'DELETE', `${base}/${each}`)).status).toBe(200)
    expect((await call(tenant, 'GET', base)).body.endpoints).toEqual([])
    expect((await call(tenant, 'DELETE', `${base}/${id}`)).body.error.code).toBe('NOT_FOUND')
    expect((await call(tenant, 'GET', '/me/webhook')).body).toMatchObject({ webhookUrl: null, signingSecret })
    await clock.advance(6)
    wake.signal('deliveries')
    await expect
      .poll(() => listed(tenant))
      .toMatchObject([{ status: 'dropped', url: null, lastError: expect.stringContaining('was removed') }])
  })

  it('are at most ten, also when they are added at the same time', async () => {
    const tenant = await makeTenant(db)
    const answers = await Promise.all(Array.from({ length: 12 }, () => call(tenant, 'POST', base, { url })))
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(10).fill(201), 400, 400])
    expect(answers.find(({ status }) => status === 400)?.body.error).toMatchObject({
      code: 'FORBIDDEN_ACTION',
      details: { reason: 'too_many_endpoints' },
    })
  })

  it('have a secret that can be replaced, with an overlap', async () => {
    const receiver = await startReceiver()
    const tenant = await makeTenant(db)
    const { endpoint, signingSecret: old } = (await call(tenant, 'POST', base, { url: receiver.url })).body
    const path = `${base}/${endpoint.id}/regenerate-secret`
    const { signingSecret } = (await call(tenant, 'POST', path, { overlapSeconds: 60 })).body
    await call(tenant, 'POST', '/me/webhook/test', { endpointId: endpoint.id })
    await receiver.arrived(1)
    const [{ body, headers } = expect.fail()] = receiver.received
    for (const secret of [old, signingSecret]) await verify(body, headers, secret)
  })

  it.each(['http://10.0.0.1/hook', 'https://user:pw@example.com/'])('refuse the address %s', async (bad) => {
    const tenant = await makeTenant(db)
    const id = await add(tenant, { url })
    for (const [method, path] of [
      ['POST', base],
      ['PUT', `${base}/${id}`],
    ] as const) {
      const { status, body } = await call(tenant, method, path, { url: bad })
      expect([status, body.error.issues[0].code]).toEqual([400, 'invalid_url'])
    }
  })

  it('are those of one organization only', async () => {
    const [owner, stranger] = [await makeTenant(db), await makeTenant(db)]
    const id = await add(owner, { url })
    const refused = [
      await call(stranger, 'GET', `${base}/${id}`),
      await call(stranger, 'PUT', `${base}/${id}`, { label: 'mine' }),
      await call(stranger, 'DELETE', `${base}/${id}`),
      await call(stranger, 'POST', `${base}/${id}/regenerate-secret`, {}),
      await call(stranger, 'POST', '/me/webhook/test', { endpointId: id }),
    ]
    expect(refused.map(({ body }) => body.error.code)).toEqual(Array(5).fill('NOT_FOUND'))
    expect((await call(owner, 'GET', base)).body.endpoints).toMatchObject([{ label: null }])
  })
})

describe('a refused delivery', () => {
  it('keeps the first 500 bytes of the answer, cleaned, and the duration', async () => {
    const receiver = await startReceiver((_request, number) => ({
      status: number === 1 ? 401 : 200,
      body: number === 1 ? `{"reason":"no_matching_signature"}\x1b[31m${'x'.repeat(20_000)}` : 'thanks',
    }))
    const tenant = await makeTenant(db)
    await call(tenant, 'PUT', '/me/webhook', { webhookUrl: receiver.url })
    const { eventId } = (await call(tenant, 'POST', '/me/webhook/test')).body
    const one = async () => (await call(tenant, 'GET', `/me/webhook/deliveries?eventId=${eventId}`)).body.deliveries
    await expect.poll(one).toMatchObject([{ attempts: 1, lastStatus: 401, url: receiver.url }])
    const [{ lastResponse, lastDurationMs }] = await one()
    expect(lastResponse).toMatch(/^\{"reason":"no_matching_signature"\}\[31mx+$/)
    expect(lastResponse).toHaveLength(499)
    expect(lastDurationMs).toBeGreaterThanOrEqual(0)
    await clock.advance(6)
    wake.signal('deliveries')
    await expect.poll(one).toMatchObject([{ attempts: 2, status: 'delivered', lastResponse: null }])
  })
})
