import { describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { advanceToNoon } from '#testing/advance-to-noon.ts'
import { eventually } from '#testing/eventually.ts'
import { people } from '#testing/features/campaign-people.ts'
import { makeNumber, makeNumberKey, makeOrganization } from '#testing/make.ts'
import { transcriptOf } from '#testing/sim.ts'
import { startTestServer } from '#testing/start-server.ts'

const server = await startTestServer()
await advanceToNoon(server.services.clock)
const organization = await makeOrganization(server)
const containerId = await makeNumber(server, organization)
const client = server.client(organization)
const refused = (code: string, details?: object) => expect.objectContaining({ code, ...(details && { details }) })

async function created(recipients = people(5), template = 'Hello {{name}}') {
  const { campaign } = await client.campaigns.create({ name: 'Spring', template, recipients, strictVariables: false })
  return campaign.id
}

const done = (id: string) =>
  eventually(
    () => client.campaigns.status({ id }),
    ({ status }) => status === 'completed',
  )

describe('a campaign', () => {
  it('is sent to everybody on its list once, with their own text, and is completed then', async () => {
    const recipients = people(40)
    const id = await created([...recipients, ...recipients.slice(0, 3)])
    const started = await client.campaigns.send({ id })
    expect(started).toMatchObject({
      campaignId: id,
      status: 'sending',
      totalRecipients: 40,
      estimatedDuration: '3 min',
      estimatedDurationSeconds: 200,
    })
    const status = await done(id)
    expect(status).toMatchObject({ stats: { total: 40, sent: 40, failed: 0 }, name: 'Spring', startError: null })
    expect(status.recipients).toEqual(recipients)
    expect(Date.parse(status.completedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(status.startedAt ?? ''))
    const arrived = await transcriptOf(server, containerId)
    // Without pacing they leave side by side, in any order.
    const texts = new Map(arrived.map(({ to, content }) => [to, content as { text: string }]))
    expect(arrived).toHaveLength(40)
    for (const { phone, variables } of recipients) expect(texts.get(phone)?.text).toBe(`Hello ${variables.name}`)
  })

  it('fails whose text is empty or too long, and who is off the network, and is completed all the same', async () => {
    const id = await created(
      [
        { phone: '4915200000000', variables: { name: '' } },
        { phone: '4915200000010', variables: { name: 'x'.repeat(1000) } },
        { phone: '12025550101', variables: { name: 'Jane' } },
        { phone: '4915200000020', variables: { name: 'Jim' } },
      ],
      '{{name}}'.repeat(5),
    )
    await client.campaigns.send({ id })
    const { stats } = await done(id)
    expect(stats).toMatchObject({ total: 4, sent: 1, failed: 3 })
    const { messages } = await client.messages.list({ type: 'bulk', status: 'failed' })
    const mine = messages.filter(({ campaignId }) => campaignId === id)
    expect(Object.fromEntries(mine.map(({ recipient, errorCode }) => [recipient, errorCode]))).toEqual({
      '4915200000000': 'MESSAGE_EMPTY',
      '4915200000010': 'MESSAGE_TOO_LONG',
      '12025550101': 'NUMBER_NOT_ON_NETWORK',
    })
    const page = await client.campaigns.recipients({ id, status: 'failed', search: '+49 152', limit: 1 })
    expect(page).toMatchObject({
      total: 2,
      page: 1,
      limit: 1,
      recipients: [{ phone: '4915200000000', status: 'failed' }],
    })
    const events = await rows<{ data: object }>(
      server.db,
      `select data from events where organization_id = :organizationId and event = 'message.failed'`,
      organization as unknown as Record<string, string>,
    )
    expect(events).toHaveLength(3)
    for (const { data } of events) expect(data).toMatchObject({ type: 'bulk', campaignId: id })
  })

  it('lists its recipients page by page: by number, by cursor, and only those that match', async () => {
    const recipients = people(7)
    const id = await created(recipients)
    const all = []
    for await (const { phone } of client.campaigns.recipients.all({ id, limit: 3 })) all.push(phone)
    expect(all).toEqual(recipients.map(({ phone }) => phone))
    const first = await client.campaigns.recipients({ id, limit: 3 })
    const second = await client.campaigns.recipients({ id, limit: 3, cursor: first.nextCursor ?? '' })
    const last = await client.campaigns.recipients({ id, limit: 3, cursor: second.nextCursor ?? '' })
    expect([first.total, second.total, last.total]).toEqual([7, 7, 7])
    expect([second.recipients, last.recipients.length, last.nextCursor]).toEqual([
      (await client.campaigns.recipients({ id, limit: 3, page: 2 })).recipients,
      1,
      null,
    ])
    expect(await client.campaigns.recipients({ id, status: 'read' })).toMatchObject({ total: 0, nextCursor: null })
    for (const cursor of ['', 'three', '-1', '9'.repeat(10)]) {
      await expect(client.campaigns.recipients({ id, cursor })).rejects.toThrow(refused('VALIDATION_ERROR'))
    }
  })

  it('that fails for everybody is completed too', async () => {
    const id = await created(people(2), '{{nothing}}')
    expect(await client.campaigns.send({ id })).toMatchObject({ status: 'sending', totalRecipients: 2 })
    expect(await client.campaigns.status({ id })).toMatchObject({ status: 'completed', stats: { total: 2, failed: 2 } })
  })

  it('is read without its recipients by its id alone', async () => {
    const id = await created(people(2))
    const { recipients, ...counts } = await client.campaigns.status({ id })
    expect(recipients).toHaveLength(2)
    expect(await client.campaigns.get({ id })).toEqual(counts)
  })

  it('is seen and changed by the key of its own number only', async () => {
    const other = await makeNumber(server, organization)
    const [own, foreign] = await Promise.all(
      [containerId, other].map(async (number) =>
        server.client({ apiKey: await makeNumberKey(server, organization, number) }),
      ),
    )
    if (!own || !foreign) throw new Error('two numbers have two keys')
    const { campaign } = await own.campaigns.create({ name: 'Mine', template: 'hi', recipients: people(2, '153') })
    const { id } = campaign
    expect((await foreign.campaigns.list()).campaigns.map((one) => one.id)).not.toContain(id)
    expect((await own.campaigns.list()).campaigns.map((one) => one.id)).toContain(id)
    for (const call of [
      'get',
      'status',
      'recipients',
      'update',
      'send',
      'pause',
      'resume',
      'cancel',
      'delete',
    ] as const) {
      await expect(foreign.campaigns[call]({ id })).rejects.toEqual(refused('NOT_FOUND'))
    }
    const nobodys = '018f3b5e-0000-7000-8000-000000000001'
    await own.campaigns.send({ id, containerId: nobodys })
    await done(id)
    const sentBy = (await client.messages.list({ type: 'bulk', limit: 2 })).messages
    expect(sentBy.map((message) => [message.campaignId, message.containerId])).toEqual([
      [id, containerId],
      [id, containerId],
    ])
  })

  it('that is a draft without a number is open to the key of each, and goes from the one that starts it', async () => {
    const number = await makeNumber(server, organization)
    const key = server.client({ apiKey: await makeNumberKey(server, organization, number) })
    const id = await created(people(2, '155'))
    expect((await key.campaigns.list()).campaigns.map((one) => one.id)).toContain(id)
    expect((await key.campaigns.status({ id })).recipients).toHaveLength(2)
    expect((await key.campaigns.update({ id, name: 'Renamed' })).campaign.name).toBe('Renamed')
    await key.campaigns.send({ id })
    await done(id)
    const messages = (await client.messages.list({ type: 'bulk', limit: 2 })).messages
    expect(messages.map((message) => [message.campaignId, message.containerId])).toEqual([
      [id, number],
      [id, number],
    ])
  })

  it('that a number key schedules is bound to that number; one that the account scheduled is hidden', async () => {
    const number = await makeNumber(server, organization)
    const key = server.client({ apiKey: await makeNumberKey(server, organization, number) })
    const scheduledAt = '2099-01-01T00:00:00Z'
    const [bound, unbound] = [await created(people(1, '156')), await created(people(1, '156'))]
    await key.campaigns.update({ id: bound, scheduledAt })
    expect(await key.campaigns.get({ id: bound })).toMatchObject({ status: 'scheduled' })
    await client.campaigns.update({ id: unbound, scheduledAt })
    await expect(key.campaigns.get({ id: unbound })).rejects.toEqual(refused('NOT_FOUND'))
    const shown = (await key.campaigns.list()).campaigns.map((one) => one.id)
    expect([shown.includes(bound), shown.includes(unbound)]).toEqual([true, false])
  })

  it('is deleted with its message history', async () => {
    const id = await created(people(3, '154'))
    await client.campaigns.send({ id })
    await done(id)
    expect(await client.campaigns.delete({ id })).toEqual({ success: true })
    await expect(client.campaigns.status({ id })).rejects.toEqual(refused('NOT_FOUND'))
    expect(await rows(server.db, 'select id from messages where campaign_id = :id', { id })).toEqual([])
  })
})

describe('the count against a trial', () => {
  it('takes the whole list when the campaign starts, or refuses it whole and queues nothing', async () => {
    const trial = await makeOrganization(server, { granted: false })
    await makeNumber(server, trial)
    const theirs = server.client(trial)
    const create = async (count: number) =>
      (await theirs.campaigns.create({ name: 'Trial', template: 'hi', recipients: people(count) })).campaign.id
    const [large, fitting, one] = [await create(101), await create(100), await create(1)]
    await expect(theirs.campaigns.send({ id: large })).rejects.toEqual(refused('TRIAL_LIMIT_REACHED'))
    expect(await theirs.campaigns.status({ id: large })).toMatchObject({ status: 'draft' })
    expect(await theirs.campaigns.send({ id: fitting })).toMatchObject({ totalRecipients: 100 })
    await expect(theirs.campaigns.send({ id: one })).rejects.toMatchObject({
      code: 'TRIAL_LIMIT_REACHED',
      details: { limit: 100, used: 100, requested: 1 },
    })
    expect((await theirs.messages.list()).total).toBe(100)
  })
})
