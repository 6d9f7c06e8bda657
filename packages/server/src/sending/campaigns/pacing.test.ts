import { describe, expect, it } from 'vitest'
import { people } from '#testing/features/campaign-people.ts'
import { gapsOf, secondsOf } from '#testing/features/campaign-seconds.ts'
import { makeNumber, makeOrganization, makeToken } from '#testing/make.ts'
import { transcriptOf } from '#testing/sim.ts'
import { startTestServer } from '#testing/start-server.ts'

const server = await startTestServer({ env: { UNSAFE_DISABLE_PACING: 'false' } })
await server.services.clock.freeze()

describe('the pace of campaigns', () => {
  it('is 3 to 7 seconds on a number, and texts of that number do not wait behind them', async () => {
    const organization = await makeOrganization(server)
    const { organizationId } = organization
    const containerId = await makeNumber(server, organization)
    const client = server.client(organization)
    const seconds = secondsOf(server, organizationId)
    const recipients = people(10)
    const { id } = (await client.campaigns.create({ name: 'Slow', template: 'hi', recipients })).campaign
    await client.campaigns.send({ id })
    await seconds.passUntil(3)

    const acceptedAt = server.services.clock.now().getTime()
    await client.alert.send({ phone: '12025550100', message: 'not of it', containerId })
    await seconds.pass()
    await seconds.pass()
    const text = (await transcriptOf(server, containerId)).find(({ to }) => to === '12025550100')
    expect(Date.parse(text?.at ?? '') - acceptedAt).toBeLessThanOrEqual(2000)

    await seconds.passUntil(recipients.length + 1)
    const sent = (await transcriptOf(server, containerId)).filter(({ to }) => to !== '12025550100')
    expect(sent.every(({ typed }) => typed)).toBe(true)
    const gaps = gapsOf(sent)
    // A whole second passes at a time, and what is planned within it leaves at its end: bounds in whole seconds stay.
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(3)
    expect(Math.max(...gaps)).toBeLessThanOrEqual(7)
  }, 60_000)

  it('is a message a second for an organization, spread over its numbers, each at 3 seconds or more', async () => {
    const organization = await makeOrganization(server)
    const { organizationId } = organization
    const ids: string[] = []
    for (let n = 0; n < 5; n += 1) ids.push(await makeNumber(server, organization))
    const owner = server.client({ token: await makeToken(server, organization) })
    await owner.numbers.setSendGroup({ enabled: true, containerIds: ids, mode: 'share' })
    const client = server.client(organization)
    const seconds = secondsOf(server, organizationId)
    const recipients = people(20)
    const { id } = (await client.campaigns.create({ name: 'Wide', template: 'hi', recipients })).campaign
    expect(await client.campaigns.send({ id })).toMatchObject({ estimatedDuration: '20 s' })
    await seconds.passUntil(recipients.length)

    const perNumber = await Promise.all(ids.map((number) => transcriptOf(server, number)))
    for (const sent of perNumber) {
      expect(sent).toHaveLength(recipients.length / ids.length)
      for (const gap of gapsOf(sent)) expect(gap).toBeGreaterThanOrEqual(3)
    }
    for (const gap of gapsOf(perNumber.flat())) expect(gap).toBeGreaterThanOrEqual(1)
  }, 60_000)
})
