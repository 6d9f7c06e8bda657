import { describe, expect, it } from 'vitest'
import { requireContractOfEvents } from '#events/append.ts'
import { rows } from '#platform/db/db.ts'
import { people } from '#testing/features/campaign-people.ts'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { startTestServer } from '#testing/start-server.ts'
import { maintainCampaigns } from './maintain.ts'
import { completeFinished } from './message-store.ts'

requireContractOfEvents()
const server = await startTestServer({ worker: false })
const { db, services } = server
await services.clock.freeze()
const types = ['campaign.completed', 'campaign.failed'] as const

async function sending(count: number) {
  const organization = await makeOrganization(server)
  const containerId = await makeNumber(server, organization)
  const client = server.client(organization)
  const { campaign } = await client.campaigns.create({ name: 'News', template: 'hi', recipients: people(count) })
  const { id } = campaign
  await client.campaigns.send({ id })
  const events = async () => (await client.events.list({ types })).events
  /** Gives so many queued messages a status, in one statement. */
  const settle = (status: string, limit = count) =>
    rows(
      db,
      `update messages set status = :status where id = any(array(
         select id from messages where campaign_id = :id and status = 'queued' order by id limit :limit))`,
      { id, status, limit },
    )
  return { organization, containerId, client, id, events, settle }
}

describe('campaign.completed', () => {
  it('comes once, in the transaction that settles the last message, with the counts of that moment', async () => {
    const { client, id, events, settle } = await sending(3)
    await settle('sent', 2)
    expect(await events()).toEqual([])
    await settle('failed')
    const now = services.clock.now().toISOString()
    expect(await events()).toMatchObject([
      {
        event: 'campaign.completed',
        timestamp: now,
        data: {
          campaignId: id,
          name: 'News',
          status: 'completed',
          stats: { total: 3, sent: 2, delivered: 0, failed: 1, read: 0 },
          startedAt: now,
          timestamp: now,
        },
      },
    ])
    expect(await client.campaigns.status({ id })).toMatchObject({ status: 'completed' })
    await maintainCampaigns(services)
    await completeFinished(db, id)
    expect(await events()).toHaveLength(1)
    expect(await rows(db, 'select * from campaign_ends')).toEqual([])
  })

  it('does not come when the transaction fails', async () => {
    const { events, settle, client, id } = await sending(2)
    const failing = db.transaction(async (trx) => {
      await rows(trx, `update messages set status = 'sent' where campaign_id = :id`, { id })
      throw new Error('the change failed')
    })
    await expect(failing).rejects.toThrow('the change failed')
    expect([await events(), (await client.campaigns.status({ id })).status]).toEqual([[], 'sending'])
    await settle('sent')
    expect(await events()).toHaveLength(1)
  })

  it('follows the events of the messages that failed, and one comes for each of several campaigns', async () => {
    const [first, second] = [await sending(1), await sending(1)]
    await rows(db, `update messages set status = 'sent' where campaign_id = any(:ids::uuid[])`, {
      ids: [first.id, second.id],
    })
    for (const { events, id } of [first, second]) expect(await events()).toMatchObject([{ data: { campaignId: id } }])
  })

  it('comes for a campaign of which no message could be queued', async () => {
    const organization = await makeOrganization(server)
    await makeNumber(server, organization)
    const client = server.client(organization)
    const recipients = people(1)
    await rows(
      db,
      `insert into contacts (id, organization_id, phone, opted_out, created_at)
       values (gen_random_uuid(), :organizationId, :phone, true, service_now())`,
      { organizationId: organization.organizationId, phone: recipients[0]?.phone.replace(/\D/g, '') },
    )
    const { campaign } = await client.campaigns.create({ name: 'None', template: 'hi', recipients })
    await client.campaigns.send({ id: campaign.id })
    const { events } = await client.events.list()
    expect(events.map(({ event }) => event)).toEqual(['message.failed', 'campaign.completed'])
  })

  it('is posted to a webhook', async () => {
    const { organization, client, settle } = await sending(1)
    await client.webhook.set({ webhookUrl: 'https://example.com/hook' })
    await settle('read')
    expect((await client.webhook.deliveries()).deliveries).toMatchObject([{ event: 'campaign.completed' }])
    expect(organization.organizationId).toMatch(/-/)
  })
})

describe('campaign.failed', () => {
  it('comes once when a scheduled campaign could not start for an hour', async () => {
    const organization = await makeOrganization(server)
    const client = server.client(organization)
    const scheduledAt = new Date(services.clock.now().getTime() + 600_000).toISOString()
    const draft = { name: 'Later', template: 'hi', recipients: people(2), scheduledAt }
    const { campaign } = await client.campaigns.create(draft)
    const events = async () => (await client.events.list({ types })).events
    await server.advance(600)
    await maintainCampaigns(services)
    expect(await events()).toEqual([])
    await server.advance(3600)
    await Promise.all([maintainCampaigns(services), maintainCampaigns(services)])
    await maintainCampaigns(services)
    expect(await events()).toMatchObject([
      {
        event: 'campaign.failed',
        data: {
          campaignId: campaign.id,
          name: 'Later',
          status: 'draft',
          errorCode: 'NO_SESSION_CONFIGURED',
          scheduledAt,
        },
      },
    ])
  })
})
