import { describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { eventually } from '#testing/eventually.ts'
import { people } from '#testing/features/campaign-people.ts'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { sim } from '#testing/sim.ts'
import { startTestServer } from '#testing/start-server.ts'
import { watchNumbers } from './watch-numbers.ts'

const server = await startTestServer({ env: { GUARD: 'on' } })
const { services } = server

async function ground() {
  const organization = await makeOrganization(server)
  const containerId = await makeNumber(server, organization)
  await rows(server.db, `update numbers set linked_at = service_now() - interval '60 days' where id = :containerId`, {
    containerId,
  })
  const client = server.client(organization)
  return {
    containerId,
    client,
    async campaign(recipients: { phone: string }[]) {
      const { campaign } = await client.campaigns.create({ name: 'To all', template: 'hi', recipients, anyHour: true })
      await client.campaigns.send({ id: campaign.id })
      return campaign.id
    },
    warnings: async () => (await client.events.list({ types: 'number.warning' })).events.map(({ data }) => data),
  }
}

/** People who are not on the simulated network. */
const strangers = (count: number) => Array.from({ length: count }, (_, n) => ({ phone: `1${String(200 + n)}5550101` }))

describe('a number that writes to people who are not on the network', () => {
  it('has its campaigns paused, reports it once, and continues when a person resumes them', async () => {
    const { client, campaign, warnings, containerId } = await ground()
    const first = await campaign([...people(5, '160'), ...strangers(16)])
    await eventually(
      () => client.campaigns.get({ id: first }),
      ({ stats }) => stats.failed === 16,
    )
    const long = await campaign(people(300, '161'))
    await watchNumbers(services)
    await watchNumbers(services)
    expect(await client.campaigns.get({ id: long })).toMatchObject({ status: 'paused', pauseReason: 'off_network' })
    expect((await client.numbers.status()).guard?.campaignsStopped).toBe(true)
    expect(await warnings()).toMatchObject([
      { reason: 'off_network', containerId, message: expect.stringContaining('30 %') },
    ])

    await client.campaigns.resume({ id: long })
    await watchNumbers(services)
    expect(await client.campaigns.get({ id: long })).toMatchObject({ status: 'sending', pauseReason: null })
    expect((await client.numbers.status()).guard?.campaignsStopped).toBe(false)
  })

  it('holds what is left of its campaigns until they are paused', async () => {
    const { client, campaign, containerId } = await ground()
    await rows(
      server.db,
      `insert into number_guards (container_id, organization_id, stopped_at)
       select id, organization_id, service_now() from numbers where id = :containerId
       on conflict (container_id) do update set stopped_at = excluded.stopped_at`,
      { containerId },
    )
    await rows(server.db, 'update lanes set open = false where container_id = :containerId', { containerId })
    await campaign(people(3, '162'))
    await rows(server.db, 'update number_guards set stopped_at = service_now() where container_id = :containerId', {
      containerId,
    })
    await rows(
      server.db,
      'update lanes set open = true, next_claim_at = service_now() where container_id = :containerId',
      {
        containerId,
      },
    )
    services.wake.signal('lanes')
    const { held } = await eventually(
      () => client.messages.stats(),
      (stats) => stats.held.total === 3,
    )
    expect(held.rules).toEqual({ off_network: 3 })
  })
})

describe('a number that gets no replies', () => {
  it('is reported a day later, once, and nothing is stopped', async () => {
    const { client, campaign, warnings } = await ground()
    const sentTo = async (recipients: { phone: string }[]) => {
      const id = await campaign(recipients)
      await eventually(
        () => client.campaigns.get({ id }),
        ({ status }) => status === 'completed',
      )
    }
    await sentTo(people(20, '170'))
    await watchNumbers(services)
    expect(await warnings()).toEqual([])
    await server.advance(25 * 3600)
    await sentTo(people(1, '171'))
    await watchNumbers(services)
    await watchNumbers(services)
    expect(await warnings()).toMatchObject([{ reason: 'few_replies' }])
  })

  it('is not reported when one person replied', async () => {
    const { client, campaign, warnings, containerId } = await ground()
    const recipients = people(20, '172')
    const id = await campaign(recipients)
    await eventually(
      () => client.campaigns.get({ id }),
      ({ status }) => status === 'completed',
    )
    await sim(server, 'POST inbound', { containerId, from: recipients[3]?.phone, text: 'Thanks' })
    await eventually(
      () => client.chats.unread(),
      ({ messages }) => messages.length > 0,
    )
    await server.advance(25 * 3600)
    await client.alert.send({ phone: recipients[3]?.phone ?? '', message: 'You are welcome' })
    await campaign(people(1, '173'))
    await watchNumbers(services)
    expect(await warnings()).toEqual([])
  })
})
