import { describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { newId } from '#platform/db/new-id.ts'
import { eventually } from '#testing/eventually.ts'
import { people } from '#testing/features/campaign-people.ts'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { transcriptOf } from '#testing/sim.ts'
import { startTestServer } from '#testing/start-server.ts'

const server = await startTestServer({ env: { UNSAFE_DISABLE_PACING: 'false' } })
await server.services.clock.freeze()

/** What an inbound STOP comes to. */
async function optOut(organizationId: string, phone: string): Promise<void> {
  await rows(
    server.db,
    `insert into contacts (id, organization_id, phone, opted_out, created_at)
     values (:id, :organizationId, :phone, true, service_now())`,
    { id: newId(), organizationId, phone },
  )
}

describe('people who opted out', () => {
  it('get no campaign, whether they did before it started or while it is sent; texts still reach them', async () => {
    const organization = await makeOrganization(server)
    const { organizationId } = organization
    const containerId = await makeNumber(server, organization)
    const client = server.client(organization)
    const recipients = people(4)
    const [first, second, third, fourth] = recipients.map(({ phone }) => phone)
    await optOut(organizationId, second ?? '')
    const { id } = (await client.campaigns.create({ name: 'Stop', template: 'hi', recipients })).campaign
    await client.campaigns.send({ id })
    expect((await client.campaigns.status({ id })).stats).toMatchObject({ total: 4, failed: 1 })
    await optOut(organizationId, fourth ?? '')
    const status = await eventually(
      async () => {
        await server.advance(2)
        return client.campaigns.status({ id })
      },
      (seen) => seen.status === 'completed',
    )
    expect(status.stats).toMatchObject({ total: 4, sent: 2, failed: 2 })
    expect((await transcriptOf(server, containerId)).map(({ to }) => to)).toEqual([first, third])
    const { messages } = await client.messages.list({ status: 'failed' })
    expect(messages.map(({ recipient, errorCode }) => [recipient, errorCode]).sort()).toEqual([
      [second, 'RECIPIENT_OPTED_OUT'],
      [fourth, 'RECIPIENT_OPTED_OUT'],
    ])

    await client.alert.send({ phone: second ?? '', message: 'your parcel is here', priority: 'high' })
    const arrived = await eventually(
      () => transcriptOf(server, containerId),
      (entries) => entries.length === 3,
    )
    expect(arrived[2]?.to).toBe(second)
  })
})
