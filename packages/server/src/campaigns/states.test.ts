import { type CampaignStatus, campaignAllows } from '@msgctl/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rows } from '../db/db.ts'
import { makeNumber, makeOrganization } from '../test/make.ts'
import { startTestServer } from '../test/start-server.ts'
import { people } from './test-people.ts'

// Without a worker a campaign that sends stays where it is until somebody moves it.
const server = await startTestServer({ worker: false })
const organization = await makeOrganization(server)
await makeNumber(server, organization)
const client = server.client(organization)
const inAnHour = () => new Date(server.services.clock.now().getTime() + 3_600_000).toISOString()

type Action = keyof typeof campaignAllows
type Step = Action | 'schedule'
const steps: readonly Step[] = ['update', 'schedule', 'send', 'pause', 'resume', 'cancel', 'delete']

async function take(id: string, step: Step): Promise<void> {
  if (step === 'update') await client.campaigns.update({ id, scheduledAt: null })
  else if (step === 'schedule') await client.campaigns.update({ id, scheduledAt: inAnHour() })
  else await client.campaigns[step]({ id })
}

/** Where the tables of the specification lead; null is deleted, undefined forbidden. */
function expected(from: CampaignStatus, step: Step): CampaignStatus | null | undefined {
  const allowed: readonly CampaignStatus[] = campaignAllows[step === 'schedule' ? 'update' : step]
  if (!allowed.includes(from)) return undefined
  const to = { update: 'draft', schedule: 'scheduled', send: 'sending', pause: 'paused', resume: 'sending' } as const
  return step === 'delete' ? null : step === 'cancel' ? 'cancelled' : to[step]
}

async function state(id: string) {
  const found = await rows<{ campaign: string; messages: number }>(
    server.db,
    `select c::text as campaign, (select count(*) from messages where campaign_id = c.id) as messages
       from campaigns c where id = :id`,
    { id },
  )
  return found[0]
}

describe('the states of a campaign', () => {
  it('are left only by the moves of the tables; every other move is refused and changes nothing', async () => {
    const walks = fc.array(fc.constantFrom(...steps), { minLength: 1, maxLength: 12 })
    const walk = async (path: readonly Step[]) => {
      const { campaign } = await client.campaigns.create({ name: 'Model', template: 'hi', recipients: people(3) })
      const { id } = campaign
      let status: CampaignStatus = campaign.status
      for (const step of path) {
        const next = expected(status, step)
        if (next === undefined) {
          const before = await state(id)
          await expect(take(id, step)).rejects.toMatchObject({ code: 'CAMPAIGN_INVALID_STATE', details: { status } })
          expect(await state(id)).toEqual(before)
          continue
        }
        await take(id, step)
        const found = await state(id)
        if (next === null) {
          expect(found).toBeUndefined()
          return
        }
        status = next
        expect((await client.campaigns.status({ id })).status).toBe(status)
        expect(found?.messages).toBe(status === 'sending' ? 3 : 0)
      }
    }
    await fc.assert(fc.asyncProperty(walks, walk), { numRuns: 60 })
  }, 60_000)

  it('takes no start more than five minutes in the past, and no missing value where the caller is strict', async () => {
    const at = (seconds: number) => new Date(server.services.clock.now().getTime() + seconds * 1000).toISOString()
    const draft = { name: 'Late', template: 'Hi {{name}}', recipients: [{ phone: '4915100000000' }] }
    await expect(client.campaigns.create({ ...draft, scheduledAt: at(-310) })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    })
    const { campaign } = await client.campaigns.create({ ...draft, scheduledAt: at(-290) })
    expect(campaign.status).toBe('scheduled')
    await expect(client.campaigns.create({ ...draft, strictVariables: true })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { recipients: [expect.stringContaining('{{name}}')] },
    })
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
    })
    expect(preview.samples.map(({ text }) => text)).toEqual(['Hi person 0', 'Hi person 1', 'Hi '])
    expect((await client.campaigns.list()).campaigns).toHaveLength(campaigns.length)
  })
})
