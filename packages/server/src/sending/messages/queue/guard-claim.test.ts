import { describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { handleGatewayEvents } from '#process/gateway-events.ts'
import { eventually } from '#testing/eventually.ts'
import { people } from '#testing/features/campaign-people.ts'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { sim } from '#testing/sim.ts'
import { startTestServer } from '#testing/start-server.ts'
import { withoutQuota } from '#testing/tested/limits.ts'

const server = await startTestServer({ env: { GUARD: 'on' } })
const hourSeconds = 3600
const daySeconds = 24 * hourSeconds

/** A number that was linked some days ago, with the client of its organization. */
async function linkedFor(days: number) {
  const organization = await makeOrganization(server)
  const containerId = await makeNumber(server, organization)
  await rows(
    server.db,
    `update numbers set linked_at = service_now() - :days * interval '1 day' where id = :containerId`,
    {
      days,
      containerId,
    },
  )
  return { ...organization, containerId, client: server.client(organization) }
}

type Client = Awaited<ReturnType<typeof linkedFor>>['client']

async function startCampaign(client: Client, count: number, options: { anyHour?: boolean; area?: string } = {}) {
  const { area = '151', anyHour = true } = options
  const { campaign } = await client.campaigns.create({
    name: 'Long',
    template: 'hi {{name}}',
    recipients: people(count, area),
    anyHour,
  })
  await client.campaigns.send({ id: campaign.id })
  return campaign.id
}

const heldBy = (client: Client, total: number) =>
  eventually(
    () => client.messages.stats(),
    ({ held }) => held.total === total,
  )

describe('a number of three days with a campaign of 10,000', () => {
  it('keeps to its limits, shows why, and lets replies leave at once', async () => {
    const { client, containerId } = await linkedFor(3)
    await startCampaign(client, 10_000)
    const stats = await heldBy(client, 9960)
    expect(stats.held).toEqual({ total: 9960, rules: { conversations: 9960 } })

    const { messages } = await client.messages.list({ status: 'queued', limit: 1 })
    const { message, timeline } = await client.messages.get({ id: messages[0]?.id ?? '' })
    expect(message.held).toMatchObject({
      reason: 'guard',
      rule: 'conversations',
      message: expect.stringContaining('24 hours'),
    })
    expect(Date.parse(message.held?.until ?? '')).toBeGreaterThan(server.services.clock.now().getTime())
    expect(timeline.map(({ step }) => step)).toEqual(['queued', 'held'])
    expect((await client.numbers.status()).guard).toEqual({
      version: 1,
      daysLinked: 3,
      newConversations: { used: 40, allowed: 40 },
      lastHour: { used: 40, allowed: 40 },
      lastDay: { used: 40, allowed: 200 },
      blockedUntil: null,
      networkQuota: withoutQuota(40),
      campaignsStopped: false,
      held: 9960,
    })

    await sim(server, `POST inbound`, { containerId, from: '12025550177', text: 'Are you open?' })
    await eventually(
      () => client.chats.list(),
      ({ chats }) => chats.length > 0,
    )
    const reply = await client.alert.send({ phone: '12025550177', message: 'Yes' })
    await eventually(
      () => client.messages.get({ id: reply.messageId }),
      ({ message: sent }) => sent.sentAt !== null,
    )
    const waits = await client.alert.send({ phone: '12025550178', message: 'An offer' })
    await eventually(
      () => client.messages.get({ id: waits.messageId }),
      ({ message: cold }) => cold.held !== null,
    )
    const urgent = await client.alert.send({ phone: '12025550179', message: 'A code', priority: 'high' })
    await eventually(
      () => client.messages.get({ id: urgent.messageId }),
      ({ message: high }) => high.sentAt !== null,
    )

    // After three hours as many wait as three hours allow, and still only those of one hour leave.
    for (let hours = 0; hours < 75; hours += 3) {
      await server.advance(3 * hourSeconds)
      await eventually(
        () =>
          rows<{ due: number }>(
            server.db,
            `select count(*)::int as due from messages where container_id = :containerId
            and (status = 'sending' or status = 'queued' and due_at <= service_now())`,
            { containerId },
          ),
        ([found]) => found?.due === 0,
      )
    }
    const [most] = await rows<{ hour: number; day: number; sent: number }>(
      server.db,
      `with sent as (select sent_at, priority from messages where container_id = :containerId and sent_at is not null
                       and id <> :reply)
       select (select max(hour) from sent a cross join lateral (
                 select count(*)::int as hour from sent b
                  where b.sent_at > a.sent_at - interval '1 hour' and b.sent_at <= a.sent_at) w) as hour,
              (select max(day) from sent a cross join lateral (
                 select count(*)::int as day from sent b
                  where b.sent_at > a.sent_at - interval '24 hours' and b.sent_at <= a.sent_at) w) as day,
              (select count(*)::int from sent) as sent`,
      { containerId, reply: reply.messageId },
    )
    // From the sixth day on 60 conversations a day; the urgent one comes on top.
    expect(most?.hour).toBeLessThanOrEqual(61)
    expect(most?.day).toBeLessThanOrEqual(61)
    expect(most?.sent).toBeGreaterThanOrEqual(121)
    expect((await client.messages.get({ id: waits.messageId })).message.sentAt).not.toBeNull()
  }, 180_000)
})

describe('the guard rules', () => {
  it('hold campaigns while it is night where the recipient is, unless the campaign sends at any hour', async () => {
    const { client } = await linkedFor(40)
    // Midnight in Germany, whatever the season.
    const toNight = (24 - ((server.services.clock.now().getTime() / 3_600_000) % 24)) * hourSeconds
    await server.advance(toNight)
    await startCampaign(client, 5)
    await startCampaign(client, 5, { anyHour: false, area: '152' })
    const { held } = await heldBy(client, 5)
    expect(held.rules).toEqual({ quiet_hours: 5 })
    await server.advance(8 * hourSeconds)
    await heldBy(client, 0)
  })

  it('use what the network says: its quota, and its time lock, also for direct sends and urgent texts', async () => {
    const { client, organizationId, containerId } = await linkedFor(40)
    const { services } = server
    const limits = async (newChats: { used: number; quota: number } | null, blockedUntil: Date | null) => {
      const at = services.clock.now()
      const resetsAt = new Date(at.getTime() + daySeconds * 1000)
      const report = { newChats: newChats && { ...newChats, resetsAt }, blockedUntil }
      await handleGatewayEvents(services, [{ kind: 'account.limits', organizationId, containerId, at, limits: report }])
    }
    await limits({ used: 9, quota: 10 }, null)
    await client.alert.batch({ recipients: ['4915500000010', '4915500000020', '4915500000030'], message: 'cold' })
    expect((await heldBy(client, 2)).held.rules).toEqual({ network_quota: 2 })
    expect((await client.numbers.status()).guard?.networkQuota).toMatchObject({ used: 10, quota: 10 })

    await limits({ used: 10, quota: 1000 }, new Date(services.clock.now().getTime() + hourSeconds * 1000))
    const urgent = await client.alert.send({ phone: '4915500000040', message: 'urgent', priority: 'high' })
    await eventually(
      () => client.messages.get({ id: urgent.messageId }),
      ({ message }) => message.held?.rule === 'time_lock',
    )
    const poll = { question: 'Tea?', options: ['yes', 'no'] }
    await expect(client.alert.sendPoll({ phone: '4915500000050', ...poll })).rejects.toMatchObject({
      code: 'GATEWAY_ERROR',
      details: { reason: 'new_chat_refused', outcome: 'not_sent' },
    })
    await server.advance(hourSeconds + 60)
    await heldBy(client, 0)
  })

  it('let a held text leave when its recipient writes', async () => {
    const { client, organizationId, containerId } = await linkedFor(40)
    const { services } = server
    const at = services.clock.now()
    const resetsAt = new Date(at.getTime() + daySeconds * 1000)
    const limits = { newChats: { used: 10, quota: 10, resetsAt }, blockedUntil: null }
    await handleGatewayEvents(services, [{ kind: 'account.limits', organizationId, containerId, at, limits }])
    await client.alert.batch({ recipients: ['4915500000060', '4915500000070'], message: 'Are you there?' })
    expect((await heldBy(client, 2)).held.rules).toEqual({ network_quota: 2 })
    await sim(server, `POST inbound`, { containerId, from: '4915500000070', text: 'Are you open?' })
    await heldBy(client, 1)
    await eventually(
      () => client.messages.list({ recipient: '+4915500000070' }),
      ({ messages }) => messages[0]?.sentAt !== null,
    )
  })

  it('are off for the simulator by default', async () => {
    const plain = await startTestServer()
    const organization = await makeOrganization(plain)
    await makeNumber(plain, organization)
    const client = plain.client(organization)
    await startCampaign(client, 60)
    await eventually(
      () => client.messages.stats(),
      ({ sent }) => sent === 60,
    )
    expect((await client.numbers.status()).guard).toBeNull()
  })
})
