import { describe, expect, it } from 'vitest'
import { deleteOldChatMessages } from '#conversations/chats/retention-store.ts'
import { rows } from '#platform/db/db.ts'
import { rollUpCampaignCounts } from '#sending/campaigns/count-store.ts'
import { eventually } from '#testing/eventually.ts'
import { people } from '#testing/features/campaign-people.ts'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { settled } from '#testing/settled.ts'
import { sim } from '#testing/sim.ts'
import { startTestServer } from '#testing/start-server.ts'
import { rollUpCounts } from './counter-store.ts'
import { deleteOldMessages } from './retention-store.ts'

const server = await startTestServer()
const day = 86_400

describe('messages that are older than their retention', () => {
  it('are deleted with their chat messages; the counts, the campaign and what is newer stay', async () => {
    const organization = await makeOrganization(server)
    const containerId = await makeNumber(server, organization)
    const client = server.client(organization)
    await client.alert.send({ phone: '12025553000', message: 'old' })
    const { campaign } = await client.campaigns.create({ name: 'Old', template: 'hi', recipients: people(3) })
    await client.campaigns.send({ id: campaign.id })
    await eventually(
      () => client.campaigns.status({ id: campaign.id }),
      ({ status }) => status === 'completed',
    )
    await settled(server.db)
    await sim(server, `POST inbound`, { containerId, from: '12025553000', text: 'an old reply' })
    await eventually(
      () => client.chats.list({ containerId }),
      ({ chats }) => chats.some(({ unread }) => unread > 0),
    )
    const before = await client.messages.stats()
    const statsBefore = (await client.campaigns.status({ id: campaign.id })).stats
    await server.advance(40 * day)
    await client.alert.send({ phone: '12025553001', message: 'new' })
    await settled(server.db)

    expect(await deleteOldMessages(server.db, 31)).toBe(4)
    expect(await deleteOldMessages(server.db, 31)).toBe(0)
    await rollUpCounts(server.db, 1000)
    await rollUpCampaignCounts(server.db, 1000)
    expect((await client.messages.list()).messages).toMatchObject([{ content: 'new' }])
    expect(
      await rows(
        server.db,
        'select 1 from message_places p where not exists (select from messages m where m.id = p.message_id)',
      ),
    ).toEqual([])
    expect((await client.messages.stats()).totalMessages).toBe(before.totalMessages + 1)
    expect((await client.campaigns.status({ id: campaign.id })).stats).toEqual(statsBefore)

    // The reply of the person has a retention of its own.
    expect(await deleteOldChatMessages(server.db, 41)).toBe(0)
    expect(await deleteOldChatMessages(server.db, 31)).toBe(1)
    const { chats } = await client.chats.list({ containerId })
    expect(chats).toHaveLength(1)
  })

  it('stay while they wait, and while their campaign can be resumed', async () => {
    const organization = await makeOrganization(server)
    const containerId = await makeNumber(server, organization)
    const client = server.client(organization)
    const { campaign } = await client.campaigns.create({ name: 'Paused', template: 'hi', recipients: people(1) })
    await client.campaigns.send({ id: campaign.id })
    await settled(server.db)
    await server.db('campaigns').where({ id: campaign.id }).update({ status: 'paused' })
    await client.numbers.stop({ containerId })
    await settled(server.db)
    await server.advance(40 * day)
    expect(await deleteOldMessages(server.db, 31)).toBe(1) // the message of the first test
    expect((await client.messages.list()).messages).toHaveLength(1)
  })
})
