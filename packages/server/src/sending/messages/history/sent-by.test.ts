import { describe, expect, it } from 'vitest'
import { eventually } from '#testing/eventually.ts'
import { makeAssistantOf } from '#testing/features/assistant.ts'
import { makeNumberKey, makeOrganization, makeToken } from '#testing/make.ts'
import { connectAi } from '#testing/mcp/ai-client.ts'
import { startTestServer } from '#testing/start-server.ts'

const server = await startTestServer()
await server.services.clock.freeze()
const organization = await makeOrganization(server)
const assistant = await makeAssistantOf(server, organization)
const { client, containerId } = assistant
const person = server.client({ token: await makeToken(server, organization) })
const numberKey = server.client({ apiKey: await makeNumberKey(server, organization, containerId) })
const ai = await connectAi(server.address, { key: organization.apiKey })
const phone = '+12025560100'
const text = { phone, message: 'Hello' }

/** Who can have a message sent, and how; each leaves one message more. */
const senders: Readonly<Record<string, () => Promise<unknown>>> = {
  'key by its text': () => client.alert.send(text),
  'key by its batch': () => client.alert.batch({ recipients: [phone], message: 'Hello' }),
  'key by its location': () => client.alert.sendLocation({ phone, latitude: 1, longitude: 2 }),
  'key by its one-time code': () => client.otp.send({ phone }),
  'key of a number': () => numberKey.alert.send(text),
  user: () => person.alert.send(text),
  assistant: () => assistant.customer().says('when are you open'),
  async campaign() {
    const { campaign } = await client.campaigns.create({ name: 'Spring', template: 'Hello', recipients: [{ phone }] })
    await client.campaigns.send({ id: campaign.id })
  },
  async reminder() {
    const sendAt = new Date(server.services.clock.now().getTime() + 60_000).toISOString()
    await client.reminders.create({ ...text, sendAt })
    await server.advance(61)
  },
  async ai_client() {
    const customer = assistant.customer()
    await customer.says('when are you open')
    await ai.call('send_message', { phone: `+${customer.phone}`, message: 'Hello', idempotencyKey: 'first-message' })
  },
}

describe('sentBy of a message', () => {
  it.each(Object.entries(senders))('is the %s', async (name, send) => {
    await server.advance(1)
    const before = new Set((await client.messages.list({ limit: 100 })).messages.map(({ id }) => id))
    await send()
    const added = await eventually(
      async () => (await client.messages.list({ limit: 100 })).messages.filter(({ id }) => !before.has(id)),
      (found) => found.length > 0,
    )
    expect(added[0]?.sentBy).toBe(name.split(' ')[0])
    const { message } = await client.messages.get({ id: added[0]?.id ?? '' })
    expect(message.sentBy).toBe(added[0]?.sentBy)
  })
})
