import { describe, expect, it } from 'vitest'
import { eventually } from '#testing/eventually.ts'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { startTestServer } from '#testing/start-server.ts'

const server = await startTestServer()
const restrictingPhone = '12025550160'

async function restricted() {
  const organization = await makeOrganization(server)
  const containerId = await makeNumber(server, organization)
  const client = server.client(organization)
  const warnings = async () => (await client.events.list({ types: 'number.warning' })).events.map(({ data }) => data)
  return { organizationId: organization.organizationId, containerId, client, warnings }
}

describe('an account that the network restricts', () => {
  it('says so in its status, its queue, the overview and an event, until the restriction ends', async () => {
    const { containerId, client, warnings } = await restricted()
    expect(await client.numbers.status()).toMatchObject({ restrictedUntil: null, networkWarning: null })
    // A restricted account cannot check recipients, and the second message comes after the restriction.
    await client.alert.validate({ phones: ['12025550100'] })
    await client.alert.send({ phone: restrictingPhone, message: 'hello' })
    const status = await eventually(
      () => client.numbers.status(),
      ({ restrictedUntil }) => restrictedUntil !== null,
    )
    await client.alert.send({ phone: '12025550100', message: 'hello' })
    const message = expect.stringContaining(`limits what this account may send until ${status.restrictedUntil}`)
    expect(status).toMatchObject({ status: 'WORKING', networkWarning: message, action: { type: 'wait', message } })
    const { lanes } = await eventually(
      () => client.messages.queue(),
      ({ lanes: [lane] }) =>
        lane?.messages.length === 2 && lane.messages.every(({ status: state }) => state === 'queued'),
    )
    expect(lanes[0]?.messages.map(({ waitsFor }) => waitsFor)).toEqual(['restricted', 'restricted'])
    const { numbers } = await client.overview.get()
    expect(numbers[0]?.restrictedUntil).toBe(status.restrictedUntil)
    expect(await warnings()).toMatchObject([{ reason: 'restricted', message, containerId }])

    await server.advance(301)
    expect(await client.numbers.status()).toMatchObject({
      restrictedUntil: null,
      networkWarning: null,
      action: { type: 'none' },
    })
  })

  it('is reported once for each restriction, also by direct sends', async () => {
    const { client, warnings } = await restricted()
    const send = (phone: string) => client.alert.sendLocation({ phone, latitude: 1, longitude: 2 })
    await expect(send(restrictingPhone)).rejects.toMatchObject({ details: { reason: 'restricted' } })
    await expect(send('12025550100')).rejects.toMatchObject({ details: { reason: 'restricted' } })
    expect(await warnings()).toHaveLength(1)
    await server.advance(301)
    await expect(send(restrictingPhone)).rejects.toMatchObject({ details: { reason: 'restricted' } })
    expect(await warnings()).toHaveLength(2)
  })
})
