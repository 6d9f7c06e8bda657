import { describe, expect, it } from 'vitest'
import { rows } from '../db/db.ts'
import { makeNumber, makeOrganization, makeToken } from '../test/make.ts'
import { type TranscriptEntry, transcriptOf } from '../test/sim.ts'
import { startTestServer } from '../test/start-server.ts'
import { people } from './test-people.ts'

const server = await startTestServer({ env: { PACING: 'on' } })
await server.services.clock.freeze()

interface Standing {
  /** Lanes that a dispatcher has to look at now. */
  readonly due: number
  /** Campaign messages that a worker began to hand over, and those that the network has. */
  readonly begun: number
  readonly taken: number
  readonly all: number
}

async function standing(organizationId: string): Promise<Standing> {
  const [found] = await rows<Standing>(
    server.db,
    `select (select count(*) from lanes where organization_id = :organizationId and open
                and next_at <= (select service_now())) as due,
            (select count(*) from messages where organization_id = :organizationId and begun_token is not null) as begun,
            (select count(*) from sim_messages s join messages m on m.network_client_id = s.client_id
              where m.organization_id = :organizationId and m.campaign_id is not null) as taken,
            (select count(*) from sim_messages where organization_id = :organizationId) as all`,
    { organizationId },
  )
  if (!found) throw new Error('a count has one row')
  return found
}

/** The worker has done what there is to do at this second: several looks in a row find nothing on its way. */
const quietLooks = 5

/** Lets one second of service time pass, and the worker do all that belongs to it; answers how many arrived by now. */
async function second(organizationId: string): Promise<number> {
  await server.advance(1)
  let before = -1
  for (let quiet = 0; quiet < quietLooks; ) {
    await new Promise((resolve) => setTimeout(resolve, 10))
    const { due, begun, taken, all } = await standing(organizationId)
    quiet = due === 0 && begun === taken && all === before ? quiet + 1 : 0
    before = all
  }
  return before
}

async function secondsUntil(organizationId: string, count: number): Promise<void> {
  for (let seconds = 0; (await second(organizationId)) < count; seconds += 1) {
    if (seconds > 10 * count) throw new Error(`not even ${count} arrived in ${seconds} seconds`)
  }
}

const secondsOf = (entries: readonly TranscriptEntry[]) => entries.map(({ at }) => Date.parse(at) / 1000)
const gapsOf = (times: readonly number[]) => times.slice(1).map((time, n) => time - (times[n] ?? 0))

describe('the pace of campaigns', () => {
  it('is 3 to 7 seconds on a number, and texts of that number do not wait behind them', async () => {
    const organization = await makeOrganization(server)
    const { organizationId } = organization
    const containerId = await makeNumber(server, organization)
    const client = server.client(organization)
    const recipients = people(10)
    const { id } = (await client.campaigns.create({ name: 'Slow', template: 'hi', recipients })).campaign
    await client.campaigns.send({ id })
    await secondsUntil(organizationId, 3)

    const acceptedAt = server.services.clock.now().getTime()
    await client.alert.send({ phone: '12025550100', message: 'not of it', containerId })
    await second(organizationId)
    await second(organizationId)
    const text = (await transcriptOf(server, containerId)).find(({ to }) => to === '12025550100')
    expect(Date.parse(text?.at ?? '') - acceptedAt).toBeLessThanOrEqual(2000)

    await secondsUntil(organizationId, recipients.length + 1)
    const sent = (await transcriptOf(server, containerId)).filter(({ to }) => to !== '12025550100')
    expect(sent.every(({ typed }) => typed)).toBe(true)
    const gaps = gapsOf(secondsOf(sent))
    // A whole second passes at a time, and what is planned within it leaves at its end: bounds in whole seconds stay.
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(3)
    expect(Math.max(...gaps)).toBeLessThanOrEqual(7)
  }, 60_000)

  it('is a message a second for an organization, spread over its send group, each number at 3 seconds or more', async () => {
    const organization = await makeOrganization(server)
    const { organizationId } = organization
    const ids: string[] = []
    for (let n = 0; n < 5; n += 1) ids.push(await makeNumber(server, organization))
    const owner = server.client({ token: await makeToken(server, organization) })
    await owner.numbers.setSendGroup({ enabled: true, containerIds: ids, mode: 'share' })
    const client = server.client(organization)
    const recipients = people(20)
    const { id } = (await client.campaigns.create({ name: 'Wide', template: 'hi', recipients })).campaign
    expect(await client.campaigns.send({ id })).toMatchObject({ estimatedDuration: '20 s' })
    await secondsUntil(organizationId, recipients.length)

    const perNumber = await Promise.all(ids.map((number) => transcriptOf(server, number)))
    for (const sent of perNumber) {
      expect(sent).toHaveLength(recipients.length / ids.length)
      for (const gap of gapsOf(secondsOf(sent))) expect(gap).toBeGreaterThanOrEqual(3)
    }
    const all = secondsOf(perNumber.flat()).sort((a, b) => a - b)
    for (const gap of gapsOf(all)) expect(gap).toBeGreaterThanOrEqual(1)
  }, 60_000)
})
