import type { CampaignStatus } from '@msgctl/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rows } from '#platform/db/db.ts'
import { endToEndFlows } from '#testing/end-to-end/end-to-end.ts'
import { specified } from '#testing/features/campaign-moves.ts'
import { people } from '#testing/features/campaign-people.ts'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { startTestServer } from '#testing/start-server.ts'
import { type CampaignAction, campaignActions } from './rules.ts'
import { startDueCampaigns } from './scheduled-start.ts'

/** `npm run proof -- chaos` takes all thousand walks; otherwise as many as three seconds allow. */
const full = process.env.CHAOS === 'full'
// Without a worker, a sending campaign keeps its state until the test changes it.
const server = await startTestServer({ worker: false })
const organization = await makeOrganization(server)
await makeNumber(server, organization)
const client = server.client(organization)
const inAnHour = () => new Date(server.services.clock.now().getTime() + 3_600_000).toISOString()

/** What people and the service do to a campaign, and one of its messages that the network takes. */
type Step = Exclude<CampaignAction, 'give_up'> | 'one_sent'
const steps: readonly Step[] = [...campaignActions.filter((action) => action !== 'give_up'), 'one_sent']
const size = 3

async function take(id: string, step: Step): Promise<object> {
  switch (step) {
    case 'edit':
      await client.campaigns.update({ id, name: 'Edited' })
      return {}
    case 'schedule':
      await client.campaigns.update({ id, scheduledAt: inAnHour() })
      return {}
    case 'unschedule':
      await client.campaigns.update({ id, scheduledAt: null })
      return {}
    case 'start_time':
      await server.advance(3600)
      await startDueCampaigns(server.services)
      return {}
    case 'one_sent':
    case 'finish':
      await rows(
        server.db,
        `update messages set status = 'sent' where id = any(array(
           select id from messages where campaign_id = :id and status = 'queued' order by id limit :limit))`,
        { id, limit: step === 'finish' ? size : 1 },
      )
      return {}
    default:
      return client.campaigns[step]({ id })
  }
}

/** All there is of a campaign, so that a change of anything shows. */
async function stored(id: string) {
  const [found] = await rows<{ campaign: string; messages: number; text: string; logged: number }>(
    server.db,
    `select c::text as campaign, (select count(*) from messages where campaign_id = c.id) as messages,
            (select string_agg(m::text, ' ' order by m.id) from messages m where campaign_id = c.id) as text,
            (select count(*) from activity_log where subject = c.id::text) as logged
       from campaigns c where id = :id`,
    { id },
  )
  return found
}

/** What the service does by itself simply does not happen where it may not; people are refused. */
const byItself: readonly Step[] = ['start_time', 'finish', 'one_sent']

async function requireRefusal(id: string, step: Step, status: CampaignStatus): Promise<void> {
  const before = await stored(id)
  if (byItself.includes(step)) await take(id, step)
  else await expect(take(id, step)).rejects.toMatchObject({ code: 'CAMPAIGN_INVALID_STATE', details: { status } })
  expect(await stored(id)).toEqual(before)
}

async function walk(path: readonly Step[]): Promise<void> {
  const { campaign } = await client.campaigns.create({ name: 'Model', template: 'hi', recipients: people(size) })
  const { id } = campaign
  let status: CampaignStatus = campaign.status
  let sent = 0
  for (const step of path) {
    const sends = step === 'one_sent' && status === 'sending'
    if (sends) sent += 1
    const finished = sends && sent === size
    const next = step === 'one_sent' ? (finished ? 'completed' : sends ? status : undefined) : specified[status][step]
    if (next === undefined) {
      await requireRefusal(id, step, status)
      continue
    }
    const answer = await take(id, step)
    if (step === 'pause' || step === 'cancel')
      expect(answer).toMatchObject({ jobsRemoved: step === 'pause' ? size - sent : 0 })
    if (step === 'resume') expect(answer).toMatchObject({ jobsRequeued: size - sent })
    const found = await stored(id)
    if (next === 'gone') {
      expect(found).toBeUndefined()
      return
    }
    status = next
    if (status === 'completed') sent = size
    expect(await client.campaigns.status({ id })).toMatchObject({ status, stats: { total: size, sent } })
    expect(found?.messages).toBe(status === 'sending' ? size : sent)
  }
  await rows(server.db, 'delete from messages where campaign_id = :id', { id })
  await rows(server.db, 'delete from campaigns where id = :id', { id })
}

describe('the states of a campaign', () => {
  it('are left only by the moves of the tables; every other move is refused and changes nothing', async () => {
    const walks = fc.array(fc.constantFrom(...steps), { minLength: 1, maxLength: 12 })
    const property = fc.asyncProperty(walks, endToEndFlows(full ? Number.POSITIVE_INFINITY : 3000, walk))
    await fc.assert(property, { numRuns: 1000 })
  }, 600_000)

  it('takes no start more than five minutes in the past, and no missing value where the caller is strict', async () => {
    const at = (seconds: number) => new Date(server.services.clock.now().getTime() + seconds * 1000).toISOString()
    const draft = {
      name: 'Late',
      template: 'Hi {{name}}',
      recipients: [{ phone: '4915100000000' }],
      strictVariables: false,
    }
    await expect(client.campaigns.create({ ...draft, scheduledAt: at(-310) })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    })
    const { campaign } = await client.campaigns.create({ ...draft, scheduledAt: at(-290) })
    expect(campaign.status).toBe('scheduled')
    const unscheduled = await client.campaigns.create({ ...draft, scheduledAt: null })
    expect(unscheduled.campaign).toMatchObject({ status: 'draft', scheduledAt: null })
    await expect(client.campaigns.create({ ...draft, strictVariables: true })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { 'recipients.0.variables': ['must have a value for {{name}}'] },
    })
  })

  it('takes no change that leaves a placeholder without a value, where the caller is strict', async () => {
    const recipients = ['4915100000000', '4915100000001'].map((phone) => ({ phone, variables: { name: 'Ada' } }))
    const { campaign } = await client.campaigns.create({ name: 'Strict', template: 'Hi {{name}}', recipients })
    const { id } = campaign
    const [first] = recipients
    const lacking = [...(first ? [first] : []), { phone: '4915100000001' }]
    await expect(client.campaigns.update({ id, template: 'Dear {{nmae}}' })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { template: ['must have a value of every recipient; these lack one: {{nmae}} (2)'] },
    })
    await expect(client.campaigns.update({ id, recipients: lacking })).rejects.toMatchObject({
      details: { 'recipients.1.variables': ['must have a value for {{name}}'] },
    })
    expect((await client.campaigns.get({ id })).template).toBe('Hi {{name}}')
    const variables = { nmae: 'Ada' }
    const renamed = { template: 'Dear {{nmae}}', recipients: recipients.map((each) => ({ ...each, variables })) }
    expect((await client.campaigns.update({ id, ...renamed })).campaign.template).toBe('Dear {{nmae}}')
    await client.campaigns.update({ id, template: 'Hi {{name}}', strictVariables: false })
    expect((await client.campaigns.update({ id, name: 'Later' })).campaign.name).toBe('Later')
    // Without the client, the wire is as it was.
    const { response } = await client.request('PUT', `/bulk/campaigns/${id}`, { template: 'Hi {{other}}' })
    expect(response.status).toBe(200)
  })

  it('previews what would be sent, and stores nothing', async () => {
    const { campaigns } = await client.campaigns.list()
    const preview = await client.campaigns.preview({
      name: 'Preview',
      template: 'Hi {{ name }}',
      recipients: [...people(2), ...people(1), { phone: '4915900000000' }],
    })
    expect(preview).toMatchObject({
      total: 4,
      unique: 3,
      duplicates: 1,
      missingVariables: [{ key: 'name', recipients: 1 }],
      longest: 'Hi person 0'.length,
      estimatedDuration: '15 s',
      estimatedDurationSeconds: 15,
    })
    expect(preview.samples.map(({ text }) => text)).toEqual(['Hi person 0', 'Hi person 1', 'Hi '])
    expect((await client.campaigns.list()).campaigns).toHaveLength(campaigns.length)
  })
})
