import { expect, it } from 'vitest'
import { handleGatewayEvents } from '#process/gateway-events.ts'
import { arrival } from '#testing/features/arrivals.ts'
import { makeNumber, makeOrganization } from '#testing/make.ts'
import { startTestServer } from '#testing/start-server.ts'

const server = await startTestServer({ worker: false })
const phone = '12025550121'

async function chat() {
  const organization = await makeOrganization(server)
  const containerId = await makeNumber(server, organization)
  const number = { organizationId: organization.organizationId, containerId }
  await handleGatewayEvents(server.services, [
    arrival(number, { from: { kind: 'phone', digits: phone }, text: 'Open?' }),
  ])
  return server.client(organization)
}

it('shows replies that wait or failed beside the chat, and marks the chat in the list', async () => {
  const client = await chat()
  expect(await client.chats.thread({ phone })).not.toHaveProperty('unsent')
  expect((await client.chats.list()).chats[0]).not.toHaveProperty('unsent')

  const { messageId } = await client.alert.send({ phone, message: 'We open at nine' })
  const waiting = await client.chats.thread({ phone })
  expect(waiting.messages.map(({ text }) => text)).toEqual(['Open?'])
  expect(waiting.unsent).toEqual([
    { id: messageId, text: 'We open at nine', at: expect.any(String), status: 'queued', error: null },
  ])
  expect((await client.chats.list()).chats).toMatchObject([{ phone, lastMessage: 'Open?', unsent: 'queued' }])

  await client.alert.cancel({ messageId })
  const [failed] = (await client.chats.thread({ phone })).unsent ?? []
  expect(failed).toMatchObject({ id: messageId, status: 'failed', error: expect.any(String) })
  expect((await client.chats.list()).chats).toMatchObject([{ unsent: 'failed' }])
})

it('shows no messages to other people, and those of a week at most', async () => {
  const client = await chat()
  await client.alert.send({ phone: '12025550122', message: 'to another person' })
  expect(await client.chats.thread({ phone })).not.toHaveProperty('unsent')
  const { messageId } = await client.alert.send({ phone, message: 'hello' })
  await client.alert.cancel({ messageId })
  await server.advance(8 * 86_400)
  expect(await client.chats.thread({ phone })).not.toHaveProperty('unsent')
})
