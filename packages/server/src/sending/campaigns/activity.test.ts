import { describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { people } from '#testing/features/campaign-people.ts'
import { makeNumber, makeNumberKey, makeOrganization } from '#testing/make.ts'
import { startTestServer } from '#testing/start-server.ts'

const server = await startTestServer({ worker: false })

describe('the activity log', () => {
  it('keeps what was done to campaigns and by whom, and nothing of what was refused', async () => {
    const organization = await makeOrganization(server)
    const containerId = await makeNumber(server, organization)
    const client = server.client(organization)
    const byNumber = server.client({ apiKey: await makeNumberKey(server, organization, containerId) })
    const draft = { name: 'Logged', template: 'a text that no log may hold', recipients: people(2) }
    const { id } = (await byNumber.campaigns.create(draft)).campaign
    await expect(client.campaigns.pause({ id })).rejects.toMatchObject({ code: 'CAMPAIGN_INVALID_STATE' })
    await client.campaigns.update({ id, template: 'another such text', recipients: people(3) })
    await client.campaigns.send({ id })
    await client.campaigns.pause({ id })
    await client.campaigns.resume({ id })
    await client.campaigns.pause({ id })
    await client.campaigns.cancel({ id })
    await client.campaigns.delete({ id })
    const found = await rows<{ action: string; actor: string; actorId: string | null; details: object }>(
      server.db,
      `select action, actor_kind as actor, actor_id, details from activity_log
        where organization_id = :organizationId and subject = :id order by id`,
      { organizationId: organization.organizationId, id },
    )
    expect(found[0]).toMatchObject({ actor: 'number_key', actorId: containerId })
    expect(found.slice(1).map(({ actor }) => actor)).toEqual(Array(7).fill('account_key'))
    expect(found.map(({ action, details }) => [action, details])).toEqual([
      ['campaign.created', { name: 'Logged', recipients: 2, scheduledAt: null }],
      ['campaign.changed', { changed: ['recipients', 'template'], recipients: 3 }],
      ['campaign.sent', { recipients: 3, containerId }],
      ['campaign.paused', { jobsRemoved: 3 }],
      ['campaign.resumed', { recipients: 3, containerId }],
      ['campaign.paused', { jobsRemoved: 3 }],
      ['campaign.cancelled', { jobsRemoved: 0 }],
      ['campaign.deleted', { name: 'Logged', status: 'cancelled', recipients: 3 }],
    ])
  })
})
