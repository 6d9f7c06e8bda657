import type { OutputOf } from '@msgctl/client'
import { limits } from '@msgctl/contract'
import { afterEach, describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { handleGatewayEvents } from '#process/gateway-events.ts'
import { arrival } from '#testing/features/arrivals.ts'
import { makeNumber, makeOrganization, makeToken } from '#testing/make.ts'
import { startTestServer, type TestClient } from '#testing/start-server.ts'
import { watchesOf } from './watches.ts'

type Overview = OutputOf<'overview.get'>

const server = await startTestServer({ worker: false })
const closes: (() => unknown)[] = []
afterEach(() => Promise.all(closes.splice(0).map((close) => close())))

/** Opens a stream that the test closes, and returns how to read its next record. */
function follow(client: TestClient) {
  const left = new AbortController()
  const stream = client.overview.stream({}, { signal: left.signal })
  closes.push(() => left.abort())
  return async () => (await stream.next()).value as Overview
}

const person = '12025550121'

describe('GET /overview', () => {
  it('counts what waits on each number, by queue, and when the next leaves', async () => {
    const organization = await makeOrganization(server)
    const containerId = await makeNumber(server, organization, { label: 'Support' })
    const unlinked = await makeNumber(server, organization, { linked: false })
    const client = server.client(organization)
    await client.alert.send({ phone: person, message: 'hello', containerId })
    await client.alert.send({ phone: person, message: 'hello', containerId, priority: 'high' })
    const recipients = ['12025550130', '12025550131', '12025550132'].map((phone) => ({ phone }))
    const { campaign } = await client.campaigns.create({ name: 'News', template: 'hi', recipients })
    await client.campaigns.send({ id: campaign.id, containerId })

    const { numbers, messages, campaigns, unread, deliveries, at } = await client.overview.get()
    expect(messages).toEqual({ queued: 5, sending: 0, sent: 0, delivered: 0, read: 0, failed: 0 })
    expect(numbers).toMatchObject([
      {
        containerId,
        label: 'Support',
        status: 'WORKING',
        isDefault: true,
        queueHeld: false,
        heldMessages: 0,
        waiting: { high: 1, normal: 1, campaign: 3 },
      },
      { containerId: unlinked, waiting: { high: 0, normal: 0, campaign: 0 }, nextAt: null },
    ])
    expect(new Date(numbers[0]?.nextAt ?? 0) <= new Date(at)).toBe(true)
    const stats = { total: 3, sent: 0, delivered: 0, failed: 0, read: 0 }
    expect(campaigns).toEqual([{ id: campaign.id, name: 'News', status: 'sending', stats }])
    expect([unread, deliveries]).toEqual([0, { pending: 0, dropped24h: 0 }])

    await rows(server.db, 'update numbers set queue_held_at = service_now() where id = :containerId', { containerId })
    const [held] = (await client.overview.get()).numbers
    expect(held).toMatchObject({ queueHeld: true, heldMessages: 5, nextAt: null })
  })

  it('counts unread messages and dropped deliveries, and moves its positions', async () => {
    const organization = await makeOrganization(server)
    const containerId = await makeNumber(server, organization)
    const client = server.client(organization)
    await client.webhook.set({ webhookUrl: 'http://127.0.0.1:9999/' })
    const before = await client.overview.get()
    await handleGatewayEvents(server.services, [arrival({ ...organization, containerId })])
    await server
      .db('webhook_deliveries')
      .where({ organizationId: organization.organizationId })
      .update({ status: 'dropped' })
    const after = await client.overview.get()
    expect([before.unread, after.unread]).toEqual([0, 1])
    expect(after.positions.events).toBeGreaterThan(before.positions.events)
    expect(after.positions.chats).toBeGreaterThan(before.positions.chats)
    expect([before.deliveries?.dropped24h, after.deliveries?.dropped24h]).toEqual([0, 1])
  })

  it('leaves out what the products do not unlock, and what belongs to others', async () => {
    const other = await makeOrganization(server)
    await makeNumber(server, other)
    const organization = await makeOrganization(server, { products: ['connect'] })
    const byKey = await server.client(organization).overview.get()
    expect(byKey).toMatchObject({ numbers: [], campaigns: null, unread: 0, deliveries: null })
    const notify = await makeOrganization(server, { products: ['notify'] })
    const token = await makeToken(server, notify)
    expect(await server.client({ token }).overview.get()).toMatchObject({ campaigns: [], unread: null })
    expect(await server.client(notify).overview.get()).toMatchObject({ campaigns: null })
  })
})

describe('GET /overview/stream', () => {
  it('sends the whole record at first, and again when it differs', async () => {
    const organization = await makeOrganization(server)
    const containerId = await makeNumber(server, organization)
    const client = server.client(organization)
    const next = follow(client)
    expect((await next()).messages.queued).toBe(0)
    await client.alert.send({ phone: person, message: 'hello', containerId })
    expect(await next()).toMatchObject({ messages: { queued: 1 }, numbers: [{ waiting: { normal: 1 } }] })
  })

  it('reads once a second for all that watch', async () => {
    const organization = await makeOrganization(server)
    const client = server.client(organization)
    const [first, second] = [follow(client), follow(client)]
    const [one, other] = [await first(), await second()]
    expect(one).toEqual(other)
    expect(await client.overview.get()).toMatchObject({ messages: one.messages })
  })

  it('ends when the session does, and shows a product that was paused no more', async () => {
    const organization = await makeOrganization(server)
    const token = await makeToken(server, organization)
    const client = server.client({ token })
    const [next, ofKey] = [follow(client), follow(server.client(organization))]
    expect((await next()).unread).toBe(0)
    await ofKey()
    await rows(
      server.db,
      `update organization_products set paused_at = service_now() where organization_id = :organizationId
        and product = 'connect'`,
      { organizationId: organization.organizationId },
    )
    await watchesOf(server.services).beat()
    expect((await ofKey()).unread).toBeNull()
    expect((await next()).unread).toBeNull()
    await client.auth.signOut()
    await watchesOf(server.services).beat()
    await expect(next()).rejects.toMatchObject({ code: 'AUTH_ERROR' })
  })

  it('is open 200 times at most, apart from the streams of events', async () => {
    const organization = await makeOrganization(server)
    const { organizationId } = organization
    const client = server.client(organization)
    const open = (kind: string, count: number) =>
      rows(
        server.db,
        `insert into event_streams (id, organization_id, kind, until)
         select gen_random_uuid(), :organizationId, :kind, service_now() + interval '1 min'
           from generate_series(1, :count::int)`,
        { organizationId, kind, count },
      )
    await open('events', limits.events.streams)
    await open('overview', limits.overview.streams - 1)
    const next = follow(client)
    await next()
    await expect(follow(client)()).rejects.toMatchObject({ code: 'RATE_LIMIT' })
    const left = await rows(server.db, 'select id from event_streams where organization_id = :organizationId', {
      organizationId,
    })
    expect(left).toHaveLength(limits.events.streams + limits.overview.streams)
  })
})
