import { describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { people } from '#testing/features/campaign-people.ts'
import { makeNumber, makeNumberKey, makeOrganization, makeToken } from '#testing/make.ts'
import { startTestServer } from '#testing/start-server.ts'
import { maintainCampaigns } from './maintain.ts'
import { findDue } from './scheduled-store.ts'

const server = await startTestServer({ worker: false })
const { services } = server
await services.clock.freeze()
const inMinutes = (minutes: number) => new Date(services.clock.now().getTime() + minutes * 60_000).toISOString()

async function scheduled(count = 3) {
  const organization = await makeOrganization(server)
  const client = server.client(organization)
  const draft = { name: 'Later', template: 'hi', recipients: people(count), scheduledAt: inMinutes(10) }
  const { campaign } = await client.campaigns.create(draft)
  const read = () => client.campaigns.status({ id: campaign.id })
  return { organization, client, read }
}

describe('a scheduled start', () => {
  it('happens at its time and not before, through the default number, by one of several workers', async () => {
    const { organization, client, read } = await scheduled()
    const containerId = await makeNumber(server, organization)
    await makeNumber(server, organization)
    await maintainCampaigns(services)
    expect(await read()).toMatchObject({ status: 'scheduled' })
    await server.advance(600)
    await Promise.all([maintainCampaigns(services), maintainCampaigns(services), maintainCampaigns(services)])
    expect(await read()).toMatchObject({ status: 'sending' })
    const { total, messages } = await client.messages.list({ type: 'bulk' })
    expect(total).toBe(3)
    expect(new Set(messages.map((message) => message.containerId))).toEqual(new Set([containerId]))
  })

  it('is spread over the send group in share mode', async () => {
    const { organization, client, read } = await scheduled(6)
    const ids: string[] = []
    for (let n = 0; n < 3; n += 1) ids.push(await makeNumber(server, organization))
    const owner = server.client({ token: await makeToken(server, organization) })
    await owner.numbers.setSendGroup({ enabled: true, containerIds: ids.slice(1), mode: 'share' })
    await server.advance(600)
    await maintainCampaigns(services)
    expect(await read()).toMatchObject({ status: 'sending' })
    const { messages } = await client.messages.list({ type: 'bulk' })
    expect(messages.map(({ containerId }) => containerId).sort()).toEqual([
      ids[1],
      ids[1],
      ids[1],
      ids[2],
      ids[2],
      ids[2],
    ])
  })

  it('goes through the number of the key that made it, and through no other', async () => {
    const organization = await makeOrganization(server)
    await makeNumber(server, organization)
    const containerId = await makeNumber(server, organization)
    const own = server.client({ apiKey: await makeNumberKey(server, organization, containerId) })
    const draft = { name: 'Own', template: 'hi', recipients: people(2), scheduledAt: inMinutes(10) }
    await own.campaigns.create(draft)
    await server.advance(600)
    await maintainCampaigns(services)
    const { messages } = await server.client(organization).messages.list({ type: 'bulk' })
    expect(messages.map((message) => message.containerId)).toEqual([containerId, containerId])
  })

  it('does not switch to another number when that of its key was removed: it waits as a draft', async () => {
    const organization = await makeOrganization(server)
    const other = await makeNumber(server, organization)
    const containerId = await makeNumber(server, organization)
    const own = server.client({ apiKey: await makeNumberKey(server, organization, containerId) })
    const draft = { name: 'Own', template: 'hi', recipients: people(2), scheduledAt: inMinutes(10) }
    const { id } = (await own.campaigns.create(draft)).campaign
    await server.client({ token: await makeToken(server, organization) }).numbers.delete({ containerId })
    const client = server.client(organization)
    for (const seconds of [600, 3600]) {
      await server.advance(seconds)
      await maintainCampaigns(services)
    }
    expect(await client.campaigns.status({ id })).toMatchObject({ status: 'draft', startError: 'NOT_FOUND' })
    await expect(client.campaigns.send({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect((await client.campaigns.send({ id, containerId: other })).totalRecipients).toBe(2)
  })

  it('is tried again for an hour without a number, and then the campaign is a draft that says why', async () => {
    const { read } = await scheduled()
    await server.advance(600)
    await maintainCampaigns(services)
    await server.advance(3590)
    await maintainCampaigns(services)
    expect(await read()).toMatchObject({ status: 'scheduled', startError: null })
    await server.advance(10)
    await maintainCampaigns(services)
    expect(await read()).toMatchObject({ status: 'draft', scheduledAt: null, startError: 'NO_SESSION_CONFIGURED' })
  })

  it('happens late after an outage of the whole service, with the first maintenance run', async () => {
    const { organization, read } = await scheduled()
    await makeNumber(server, organization)
    await server.advance(3 * 3600)
    await maintainCampaigns(services)
    expect(await read()).toMatchObject({ status: 'sending' })
  })

  it('is tried for an hour after an outage too, because numbers need a moment to come back', async () => {
    const { organization, read } = await scheduled()
    await server.advance(3 * 3600)
    await maintainCampaigns(services)
    expect(await read()).toMatchObject({ status: 'scheduled', startError: null })
    await makeNumber(server, organization)
    await server.advance(60)
    await maintainCampaigns(services)
    expect(await read()).toMatchObject({ status: 'sending', startError: null })
  })

  it('restarts that hour when the campaign gets another start time', async () => {
    const { client, read } = await scheduled()
    const { id } = await read()
    await server.advance(600)
    await maintainCampaigns(services)
    await server.advance(3000)
    await client.campaigns.update({ id, scheduledAt: inMinutes(0) })
    await maintainCampaigns(services)
    await server.advance(3590)
    await maintainCampaigns(services)
    expect(await read()).toMatchObject({ status: 'scheduled', startError: null })
  })

  it('is not held back by campaigns that cannot start, however many there are', async () => {
    const stuck = await scheduled(1)
    const { recipients } = await stuck.read()
    const draft = { name: 'Stuck', template: 'hi', recipients, scheduledAt: inMinutes(10) }
    for (let n = 0; n < 60; n += 1) await stuck.client.campaigns.create(draft)
    await server.advance(600)
    await maintainCampaigns(services)
    const { organization, read } = await scheduled(1)
    await makeNumber(server, organization)
    await server.advance(600)
    const [first] = await findDue(services.db, services.clock.now(), 1)
    expect(first?.organizationId).toBe(organization.organizationId)
    await maintainCampaigns(services)
    expect(await read()).toMatchObject({ status: 'sending' })
    const tried = await rows(
      services.db,
      'select id from campaigns where organization_id = :organizationId and start_tried_at = (select service_now())',
      { organizationId: stuck.organization.organizationId },
    )
    expect(tried).toHaveLength(61)
  })
})
