import { GatewayError } from '@msgctl/network/errors'
import { describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { makeNumber, makeNumberKey, makeOrganization } from '#testing/make.ts'
import { sim } from '#testing/sim.ts'
import { startTestServer } from '#testing/start-server.ts'
import { startSession } from './connect.ts'
import { applyState } from './connection/state.ts'

const server = await startTestServer({ worker: false })
const { gateway } = server.services

async function ground() {
  const organization = await makeOrganization(server)
  return { organization, client: server.client(organization), containerId: await makeNumber(server, organization) }
}

async function applyNetworkState(organizationId: string, containerId: string): Promise<void> {
  const session = { organizationId, containerId }
  await applyState(server.services, { ...session, state: await gateway.state(session), source: 'network' })
}

async function historyOf(containerId: string): Promise<string[]> {
  const found = await rows<{ step: string }>(
    server.db,
    `select coalesce(from_status, '-') || ' ' || to_status || ' ' || source as step
       from number_history where container_id = :containerId order by id`,
    { containerId },
  )
  return found.map(({ step }) => step)
}

describe('POST /session/stop and /session/start', () => {
  it('stop a number, and start it again without a new scan', async () => {
    const { organization, client, containerId } = await ground()
    expect(await client.numbers.stop()).toEqual({ status: 'stopped', message: expect.any(String), containerId })
    expect(await client.numbers.status()).toMatchObject({ status: 'STOPPED', action: { type: 'start' } })
    expect(await gateway.state({ ...organization, containerId })).toMatchObject({ status: 'STOPPED' })

    expect(await client.numbers.start()).toEqual({ status: 'starting', message: expect.any(String) })
    await applyNetworkState(organization.organizationId, containerId)
    expect(await client.numbers.status()).toMatchObject({ status: 'WORKING', manager: { totalFailures: 0 } })
    expect((await client.events.list()).events).toEqual([])
    expect(await historyOf(containerId)).toEqual([
      '- STARTING user',
      'STARTING WORKING network',
      'WORKING STOPPED user',
      'STOPPED STARTING user',
      'STARTING WORKING network',
    ])
  })

  it('stop again what is stopped, and change nothing', async () => {
    const { client, containerId } = await ground()
    await client.numbers.stop()
    expect((await client.numbers.stop()).status).toBe('stopped')
    expect((await historyOf(containerId)).at(-1)).toBe('WORKING STOPPED user')
  })

  it('let the queue of a stopped number wait', async () => {
    const { client, containerId } = await ground()
    await client.numbers.stop()
    await expect(client.alert.send({ phone: '12025550100', message: 'x' })).rejects.toMatchObject({
      code: 'NO_SESSION_CONFIGURED',
    })
    expect((await client.numbers.status()).manager.queuesPaused).toBe(true)
    const [lane] = await rows(server.db, 'select open from lanes where container_id = :containerId', { containerId })
    expect(lane).toEqual({ open: false })
  })

  it('leave a number alone that runs', async () => {
    const { client, containerId } = await ground()
    const before = await historyOf(containerId)
    expect(await client.numbers.start()).toEqual({
      status: 'starting',
      message: 'The number is connected already. There is nothing to do.',
    })
    expect(await historyOf(containerId)).toEqual(before)
    expect((await client.numbers.status()).status).toBe('WORKING')
  })

  it('start a number once for many concurrent requests', async () => {
    const { client, containerId } = await ground()
    await client.numbers.stop()
    await Promise.all(Array.from({ length: 5 }, () => client.numbers.start()))
    const starts = (await historyOf(containerId)).filter((step) => step === 'STOPPED STARTING user')
    expect(starts).toHaveLength(1)
  })

  it('respond GATEWAY_UNREACHABLE for a number whose host is gone, like pairing and the QR', async () => {
    const { organization, client, containerId } = await ground()
    const session = { organizationId: organization.organizationId, containerId }
    await sim(server, `POST numbers/${containerId}/host-down`, {})
    const gone = { status: 'UNREACHABLE', me: null, reason: 'instance_down' } as const
    await applyState(server.services, { ...session, state: gone, source: 'supervisor' })
    const unreachable = { status: 503, code: 'GATEWAY_UNREACHABLE', details: { retryAfterSeconds: 5 } }
    await expect(client.numbers.start()).rejects.toMatchObject(unreachable)
    await expect(client.numbers.pair({ phone: '12025550042' })).rejects.toMatchObject(unreachable)
    await expect(client.numbers.qr()).rejects.toMatchObject(unreachable)
    expect((await client.numbers.status()).status).toBe('UNREACHABLE')

    await sim(server, `POST numbers/${containerId}/host-up`, {})
    expect((await client.numbers.start()).status).toBe('starting')
    expect((await client.numbers.status()).status).toBe('WORKING')
  })

  it('a start that did not reach the network leaves the number FAILED, and can be repeated', async () => {
    const { organization, client, containerId } = await ground()
    await client.numbers.stop()
    await sim(server, `POST numbers/${containerId}/host-down`, {})
    await expect(client.numbers.start()).rejects.toMatchObject({
      code: 'GATEWAY_UNREACHABLE',
      status: 503,
      details: { retryAfterSeconds: 5 },
    })
    expect(await client.numbers.status()).toMatchObject({
      status: 'FAILED',
      manager: { lastError: 'The network could not start the number. It is retried by itself.' },
    })
    await sim(server, `POST numbers/${containerId}/host-up`, {})
    await client.numbers.start()
    await applyNetworkState(organization.organizationId, containerId)
    expect((await client.numbers.status()).status).toBe('WORKING')
    const { events } = await client.events.list()
    expect(events.map(({ event }) => event)).toEqual(['session.disconnected', 'session.recovered'])
  })

  it('a start whose response is lost does not end a number that the network since reported as working', async () => {
    const { organization, client, containerId } = await ground()
    await client.numbers.stop()
    const start = gateway.start
    try {
      gateway.start = async (session) => {
        await start(session)
        await applyNetworkState(organization.organizationId, containerId)
        throw new GatewayError('timeout', 'no answer in time')
      }
      await expect(client.numbers.start()).rejects.toMatchObject({ status: 504, code: 'UPSTREAM_TIMEOUT' })
    } finally {
      gateway.start = start
    }
    expect((await client.numbers.status()).status).toBe('WORKING')
    expect((await client.events.list()).events).toEqual([])
  })

  it('a number that could not be started when it was added can be started later', async () => {
    const { organization, client } = await ground()
    const failing = { ...gateway, start: () => Promise.reject(new Error('no room')) }
    const containerId = await makeNumber(server, organization, { linked: false })
    const session = { organizationId: organization.organizationId, containerId }
    await expect(startSession({ ...server.services, gateway: failing }, session)).rejects.toThrow('no room')
    expect((await client.numbers.status({ containerId })).status).toBe('FAILED')
    expect((await client.numbers.start({ containerId })).status).toBe('starting')
  })

  it('a number’s key starts its own number', async () => {
    const { organization, client, containerId } = await ground()
    const own = server.client({ apiKey: await makeNumberKey(server, organization, containerId) })
    await client.numbers.stop()
    expect((await own.numbers.start()).status).toBe('starting')
  })

  it.each([
    ['all products are paused', 'NO_ACTIVE_PRODUCT', 'update organization_products set paused_at = service_now()'],
    ['there is no product', 'NO_ACTIVE_PRODUCT', 'delete from organization_products'],
    [
      'the trial has ended',
      'PRODUCT_REQUIRED',
      `with ended as (update organizations set trial_ends_at = service_now() where id = :organizationId)
       update organization_products set granted_at = null`,
    ],
  ])('do not start when %s', async (_what, code, change) => {
    const { organization, client } = await ground()
    await client.numbers.stop()
    const { organizationId } = organization
    await rows(server.db, `${change} where organization_id = :organizationId`, { organizationId })
    await expect(client.numbers.start()).rejects.toMatchObject({
      code,
      status: 403,
      details: { products: ['notify', 'assistant', 'shop', 'developer', 'connect'] },
    })
  })
})
